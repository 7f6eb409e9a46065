import { quoteString, wordsByPathIndex } from '@redoubt/query';
import { setTimeout as delay } from 'node:timers/promises';
import { badArguments, EngineError, isEngineError } from '../engine/engine-errors.ts';
import type { Engine } from '../engine/engine.ts';
import { tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

export interface WordIndexManager {
  /**
   * Creates the index of words by path for a dataset. Readers with hidden columns need it, as well as searches for
   * words of a field in many records. The engine fills it with existing records in the background.
   */
  indexWordsByPath(datasetId: string): Promise<void>;
}

export interface WordsByPathIndexes extends WordIndexManager {
  /** Whether the index exists and is filled; using an unfilled index would compute it for each record. */
  isFilled(datasetId: string): Promise<boolean>;
  /** Fills the index, if there is one, with existing records, or waits for a fill that is running. */
  fill(datasetId: string, signal?: AbortSignal): Promise<void>;
  drop(datasetId: string): Promise<void>;
  forget(datasetId: string): void;
}

const { name, definition } = wordsByPathIndex;
/**
 * Both word indexes contain the same words, and this one more data; if it is smaller by this ratio, it is not filled
 * yet.
 */
const leastOfWords = 0.8;
/** For how many milliseconds a process caches the state of indexes. Results do not depend on it. */
const knownMilliseconds = 10_000;
/** The same, while a fill that this process started is not complete. */
const knownWhileFilling = 200;
/** How often dropping an index that others start to fill is retried. */
const attempts = 5;

export function createWordsByPathIndexes({
  engine,
  database,
  layout,
}: {
  engine: Engine;
  database: string;
  layout: TableLayout;
}): WordsByPathIndexes {
  const storedIn = (datasetId: string): string => layout.stored(tableName(datasetId));
  const text = async (sql: string): Promise<string> => (await engine.text(sql, { lane: 'short' })).trim();
  const alter = async (datasetId: string, change: string): Promise<void> =>
    engine.command(`${layout.alter(tableName(datasetId))} ${change}`, {
      lane: 'short',
      settings: { mutations_sync: 0 },
    });

  /** When each dataset was last seen with the index. */
  const made = new Map<string, number>();

  /** The tables of all datasets with a filled index; a query for one would cost as much. */
  let filled: ReadonlySet<string> = new Set();
  let lookedAt = -Infinity;
  let looking: Promise<void> | undefined;
  /** The datasets whose fill this process started and has not seen completed. */
  const awaited = new Set<string>();

  async function look(): Promise<void> {
    const tables = await text(
      `SELECT table FROM system.data_skipping_indices WHERE database = ${quoteString(database)} AND name IN ('${name}', 'words_index') GROUP BY table HAVING countIf(name = '${name}') > 0 AND sumIf(data_uncompressed_bytes, name = '${name}') >= ${leastOfWords} * sumIf(data_uncompressed_bytes, name = 'words_index')`,
    );
    filled = new Set(tables.split('\n'));
    for (const table of filled) awaited.delete(table);
    lookedAt = performance.now();
  }

  /** Reads the state again. Only the first read is awaited. */
  async function lookAgain(): Promise<void> {
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
    if (lookedAt === -Infinity) await looking;
  }

  const isMade = async (datasetId: string): Promise<boolean> =>
    (await text(
      `SELECT count() FROM system.data_skipping_indices WHERE database = ${quoteString(database)} AND table = ${quoteString(storedIn(datasetId))} AND name = '${name}'`,
    )) !== '0';

  const ofFilling = (datasetId: string): string =>
    `database = ${quoteString(database)} AND table = ${quoteString(storedIn(datasetId))} AND position(command, 'MATERIALIZE INDEX ${name}') > 0`;

  /** The state of a fill. The engine repeats a failing fill without end. */
  async function filling(datasetId: string): Promise<{ isUnderWay: boolean; isFailing: boolean }> {
    const counts = await text(
      `SELECT count(), countIf(latest_fail_reason != '') FROM system.mutations WHERE ${ofFilling(datasetId)} AND NOT is_done`,
    );
    const [underWay = 0, failing = 0] = counts.split('\t').map(Number);
    return { isUnderWay: underWay > 0, isFailing: failing > 0 };
  }

  const startFilling = async (datasetId: string): Promise<void> => {
    awaited.add(storedIn(datasetId));
    if (!(await filling(datasetId)).isUnderWay) await alter(datasetId, `MATERIALIZE INDEX ${name}`);
  };

  const stopFilling = async (datasetId: string): Promise<void> =>
    engine.command(`KILL MUTATION WHERE ${ofFilling(datasetId)} SYNC`, { lane: 'short' });

  return {
    async indexWordsByPath(datasetId) {
      if (performance.now() - (made.get(datasetId) ?? -Infinity) < knownMilliseconds) return;
      if (!(await isMade(datasetId))) await alter(datasetId, `ADD INDEX IF NOT EXISTS ${name} ${definition}`);
      await look();
      if (!filled.has(storedIn(datasetId))) await startFilling(datasetId);
      made.set(datasetId, performance.now());
    },

    async isFilled(datasetId) {
      const table = storedIn(datasetId);
      const lifetime = awaited.has(table) ? knownWhileFilling : knownMilliseconds;
      if (performance.now() - lookedAt >= lifetime) await lookAgain();
      return filled.has(table);
    },

    async fill(datasetId, signal) {
      if (!(await isMade(datasetId))) return;
      await startFilling(datasetId);
      for (let now = await filling(datasetId); now.isUnderWay; now = await filling(datasetId)) {
        if (now.isFailing || signal?.aborted === true) await stopFilling(datasetId);
        signal?.throwIfAborted();
        if (now.isFailing) throw new EngineError(undefined);
        await delay(knownWhileFilling);
      }
      await look();
    },

    async drop(datasetId) {
      for (let left = attempts; ; left--) {
        await stopFilling(datasetId);
        try {
          await alter(datasetId, `DROP INDEX IF EXISTS ${name}`);
          break;
        } catch (error) {
          if (left === 0 || !isEngineError(error, badArguments)) throw error;
        }
      }
      awaited.delete(storedIn(datasetId));
      made.delete(datasetId);
      await look();
    },

    forget(datasetId) {
      awaited.delete(storedIn(datasetId));
      made.delete(datasetId);
    },
  };
}
