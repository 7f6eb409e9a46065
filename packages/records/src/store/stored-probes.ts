import { quoteString, recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { isStagedIn } from './staged-labels.ts';

/** A record by which one finds out whether a block of an ingest is stored. */
export interface StoredProbe {
  recordId: string;
  /** The time of the write in milliseconds, of a record that was there before in another version. */
  time?: number | undefined;
}

/** Finds out what processes that died had stored. */
export interface StoredProbes {
  isStored(probe: StoredProbe): Promise<boolean>;
  /** Whether records of a slot still wait to be shown. */
  hasStaged(slot: number): Promise<boolean>;
}

/** @param table the quoted table of a dataset */
export function createStoredProbes(engine: Pick<Engine, 'text'>, table: string): StoredProbes {
  const has = async (condition: string): Promise<boolean> =>
    Number(await engine.text(`SELECT count() FROM ${table} WHERE ${condition}`, { lane: 'short' })) > 0;
  const { recordId, ingestedAt } = recordColumns;
  return {
    isStored: async (probe) =>
      has(
        `${recordId} = ${quoteString(probe.recordId)}${probe.time === undefined ? '' : ` AND toUnixTimestamp64Milli(${ingestedAt}) = ${String(probe.time)}`}`,
      ),
    hasStaged: async (slot) => has(isStagedIn(slot)),
  };
}
