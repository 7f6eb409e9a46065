import { LRUCache } from 'lru-cache';
import { summaryCopyColumns, quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { readPartStates } from './part-states.ts';
import { qualifyTable, tableName } from './record-table.ts';

/** Removes outdated copies for summaries from the disk, because they may contain deleted records. */
export interface OutdatedCopyCleanup {
  /**
   * Removes all outdated copies of these datasets, or of all datasets, of any process. The engine does this in the
   * background and continues after a crash. A copy that is being made is checked by its maker when it is complete.
   */
  remove(datasetIds?: readonly string[]): Promise<void>;
}

interface StoredCopy {
  datasetId: string;
  state: string;
  writer: string;
  number: string;
}

const maxReported = 10_000;

export function createOutdatedCopyCleanup({
  engine,
  database,
  table,
}: {
  engine: Engine;
  database: string;
  table: string;
}): OutdatedCopyCleanup {
  const named = qualifyTable(database, table);
  const short = { lane: 'short' } as const;
  let isThere = false;
  /** Copies whose removal was requested but may not be complete. */
  const reported = new LRUCache<string, true>({ max: maxReported });

  async function stored(datasetIds: readonly string[] | undefined): Promise<StoredCopy[]> {
    if (datasetIds?.length === 0) return [];
    isThere ||= (await engine.text(`EXISTS TABLE ${named}`, short)).trim() === '1';
    if (!isThere) return [];
    const { dataset, state, writer, visibility: sight } = summaryCopyColumns;
    const among = datasetIds?.map(quoteString).join(', ');
    const rows = await engine.text(
      `SELECT DISTINCT ${dataset}, ${state}, ${writer}, bitShiftRight(${sight}, 32) FROM ${named}${among === undefined ? '' : ` WHERE ${dataset} IN (${among})`}`,
      short,
    );
    return rows.split('\n').flatMap((row) => {
      const [datasetId, stateThen, owner, number] = row.split('\t');
      if (datasetId === undefined || stateThen === undefined) return [];
      if (owner === undefined || number === undefined) return [];
      return [{ datasetId, state: stateThen, writer: owner, number }];
    });
  }

  return {
    async remove(datasetIds) {
      const copies = (await stored(datasetIds)).filter((copy) => reported.get(nameOf(copy)) !== true);
      if (copies.length === 0) return;
      // Read the states after the copies. A copy of another state is older, because a table never returns to an old
      // state.
      const tables = [...new Set(copies.map(({ datasetId }) => tableName(datasetId)))];
      const states = await readPartStates(engine, database, tables);
      const outdated = copies.filter(
        ({ datasetId, state }) => states.get(tableName(datasetId))?.name !== state,
      );
      if (outdated.length === 0) return;
      const conditions = [...Map.groupBy(outdated, ({ writer }) => writer)].map(([writer, own]) => {
        const numbers = own.map(({ number }) => number).join(', ');
        return `${summaryCopyColumns.writer} = ${quoteString(writer)} AND bitShiftRight(${summaryCopyColumns.visibility}, 32) IN (${numbers})`;
      });
      await engine.command(`ALTER TABLE ${named} DELETE WHERE ${conditions.join(' OR ')}`, {
        ...short,
        settings: { mutations_sync: 0 },
      });
      for (const copy of outdated) reported.set(nameOf(copy), true);
    },
  };
}

const nameOf = ({ writer, number }: StoredCopy): string => `${writer} ${number}`;
