import { quoteString, recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { isStagedIn } from './staged-labels.ts';

/** A record of a block of an ingest. Blocks are stored completely or not at all, so this record shows which. */
export interface StoredProbe {
  recordId: string;
  /**
   * Set if the block replaces an existing record: the time of the write, in milliseconds, to tell the versions apart.
   */
  time?: number | undefined;
}

/** Finds out what crashed processes have stored. */
export interface StoredProbes {
  isStored(probe: StoredProbe): Promise<boolean>;
  /** Whether a slot contains records that are not visible yet. */
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
