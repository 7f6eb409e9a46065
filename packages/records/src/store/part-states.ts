import { quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';

/**
 * Names the state of a table, out of `system.parts`. Every insert, change and merge gives it other parts, and a table that was
 * cleared has another place.
 */
const stateOfParts = "concat(toString(count()), ' ', toString(groupBitXor(cityHash64(path))))";

/** A table as it was when it was asked about. */
export interface PartState {
  name: string;
  /** Its rows, and the bytes of their columns; more where records were changed since the last merge. */
  rows: number;
  bytes: number;
  /** Seconds since 1970 by the engine's clock: when it was asked, and when the newest part was made. */
  now: number;
  changedAt: number;
}

/** The states of these tables, all at once; tables without parts are not among them. */
export async function readPartStates(
  engine: Engine,
  database: string,
  tables: readonly string[],
): Promise<ReadonlyMap<string, PartState>> {
  const answer = await engine.text(
    `SELECT table, ${stateOfParts}, sum(rows), sum(data_uncompressed_bytes), toUnixTimestamp(now()), toUnixTimestamp(max(modification_time)) FROM system.parts WHERE active AND database = ${quoteString(database)} AND table IN (${tables.map(quoteString).join(', ')}) GROUP BY table`,
    { lane: 'short' },
  );
  const states = new Map<string, PartState>();
  for (const line of answer.split('\n')) {
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
