import { quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';

/**
 * An expression over `system.parts` that identifies the state of a table. Every insert, update and merge changes the
 * parts, and a cleared table has a new path.
 */
const stateOfParts = "concat(toString(count()), ' ', toString(groupBitXor(cityHash64(path))))";

/** The state of a table at the time of the query. */
export interface PartState {
  name: string;
  /** Its rows and the bytes of their columns; both are too high if records were updated since the last merge. */
  rows: number;
  bytes: number;
  /** Seconds since 1970 by the clock of the engine: the time of the query, and of the newest part. */
  now: number;
  changedAt: number;
}

/** Reads the states of these tables in one query; tables without parts are left out. */
export async function readPartStates(
  engine: Engine,
  database: string,
  tables: readonly string[],
): Promise<ReadonlyMap<string, PartState>> {
  const result = await engine.text(
    `SELECT table, ${stateOfParts}, sum(rows), sum(data_uncompressed_bytes), toUnixTimestamp(now()), toUnixTimestamp(max(modification_time)) FROM system.parts WHERE active AND database = ${quoteString(database)} AND table IN (${tables.map(quoteString).join(', ')}) GROUP BY table`,
    { lane: 'short' },
  );
  const states = new Map<string, PartState>();
  for (const line of result.split('\n')) {
    const [table, name, rows, bytes, now, changedAt] = line.split('\t');
    if (table === undefined || name === undefined) continue;
    states.set(table, {
      name,
      rows: Number(rows),
      bytes: Number(bytes),
      now: Number(now),
      changedAt: Number(changedAt),
    });
  }
  return states;
}
