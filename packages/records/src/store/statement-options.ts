import { querySettings } from '@redoubt/query';
import type { StatementOptions } from '../engine/engine.ts';
import type { StoreLimits } from './store-limits.ts';

/** Whose statement it is, and what stops it. */
export interface StatementOwner {
  signal?: AbortSignal | undefined;
  person?: string | undefined;
  /** What the statement was compiled for; `querySettings` where absent. */
  settings?: Readonly<Record<string, number>> | undefined;
}

/** How a statement for a person runs: within the limits of one, in seconds those that `kind` says. */
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
