import { querySettings } from '@redoubt/query';
import type { StatementOptions } from '../engine/engine.ts';
import type { StoreLimits } from './store-limits.ts';

/** The person who runs a statement, and the signal that aborts it. */
export interface StatementOwner {
  signal?: AbortSignal | undefined;
  person?: string | undefined;
  /** The settings that the statement was compiled for; by default `querySettings`. */
  settings?: Readonly<Record<string, number>> | undefined;
}

/** The options for the statement of a person: the limits of one query, and the time limit of this kind. */
export const statementOptions = (
  limits: StoreLimits,
  kind: 'querySeconds' | 'streamSeconds',
  lane: StatementOptions['lane'],
  { signal, person, settings = querySettings }: StatementOwner,
) => ({
  lane,
  timeLimitMs: limits[kind] * 1000,
  memoryLimitBytes: limits.queryMemoryBytes,
  settings,
  ...(signal === undefined ? {} : { signal }),
  ...(person === undefined ? {} : { person }),
});
