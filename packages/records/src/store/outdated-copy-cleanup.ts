import { LRUCache } from 'lru-cache';
import { summaryCopyColumns, quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { readPartStates } from './part-states.ts';
import { qualifyTable, tableName } from './record-table.ts';

/** Takes copies for summaries off the disk that nobody reads any more, as they may hold what was deleted. */
export interface OutdatedCopyCleanup {
  /**
   * Has the engine take away all copies of these datasets, or of all datasets, that are not what the datasets are now, whichever
   * process made them. It does so in the background, also after a kill. Copies that are being made meanwhile are the business of
   * whoever makes them, once they are made.
   */
  remove(datasetIds?: readonly string[]): Promise<void>;
}

interface StoredCopy {
  datasetId: string;
  state: string;
  writer: string;
  number: string;
}

const mostTold = 10_000;

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
  /** Copies that the engine was told to take away and may not have taken away yet. */
  const told = new LRUCache<string, true>({ max: mostTold });

  async function stored(datasetIds: readonly string[] | undefined): Promise<StoredCopy[]> {
    if (datasetIds?.length === 0) return [];
    isThere ||= (await engine.text(`EXISTS TABLE ${named}`, short)).trim() === '1';
    if (!isThere) return [];
    const { dataset, state, writer, sight } = summaryCopyColumns;
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
      const copies = (await stored(datasetIds)).filter((copy) => told.get(nameOf(copy)) !== true);
      if (copies.length === 0) return;
      // After the copies: one that is not of this state was made before it, and a table is never again what it was.
      const tables = [...new Set(copies.map(({ datasetId }) => tableName(datasetId)))];
      const states = await readPartStates(engine, database, tables);
      const outdated = copies.filter(
        ({ datasetId, state }) => states.get(tableName(datasetId))?.name !== state,
      );
      if (outdated.length === 0) return;
      const conditions = [...Map.groupBy(outdated, ({ writer }) => writer)].map(([writer, own]) => {
        const numbers = own.map(({ number }) => number).join(', ');
        return `${summaryCopyColumns.writer} = ${quoteString(writer)} AND bitShiftRight(${summaryCopyColumns.sight}, 32) IN (${numbers})`;
      });
      await engine.command(`ALTER TABLE ${named} DELETE WHERE ${conditions.join(' OR ')}`, {
        ...short,
        settings: { mutations_sync: 0 },
      });
      for (const copy of outdated) told.set(nameOf(copy), true);
    },
  };
}

const nameOf = ({ writer, number }: StoredCopy): string => `${writer} ${number}`;
