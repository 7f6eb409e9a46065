import { quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

/** Rows of one block: enough to be fast, and few enough to be held for a slow reader. */
export const maxBlockRows = 8192;
/** Bytes of one block, with all columns of its rows. */
const maxBytes = 32_000_000;
/** For so long a process goes by what it has seen. No answer depends on it. */
const knownMilliseconds = 10_000;

export interface BlockSizes {
  /**
   * Rows of one block of a long answer. Where parts of a table overlap, as after its records were replaced, the engine
   * (chdb 3.4.0) merges their rows into blocks of so many rows however large they are, and takes five times their bytes.
   */
  rowsOf(datasetId: string): Promise<number>;
}

export function createBlockSizes({
  engine,
  database,
  layout,
}: {
  engine: Pick<Engine, 'text'>;
  database: string;
  layout: TableLayout;
}): BlockSizes {
  /** The tables with large rows, of all datasets: to ask for one costs as much. */
  let known: ReadonlyMap<string, number> = new Map();
  let knownAt = -Infinity;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const text = await engine.text(
      `SELECT table, max(data_uncompressed_bytes / rows) AS bytes FROM system.parts WHERE active AND rows > 0 AND database = ${quoteString(database)} GROUP BY table HAVING bytes > ${String(maxBytes / maxBlockRows)}`,
      { lane: 'short' },
    );
    known = new Map(
      text.split('\n').flatMap((line): [string, number][] => {
        const [table, bytes] = line.split('\t');
        return table === undefined || bytes === undefined ? [] : [[table, Number(bytes)]];
      }),
    );
    knownAt = performance.now();
  }

  return {
    async rowsOf(datasetId) {
      if (datasetId === '') return maxBlockRows;
      if (performance.now() - knownAt > knownMilliseconds) {
        looking ??= look()
          .catch(() => undefined)
          .finally(() => {
            looking = undefined;
          });
        await looking;
      }
      const bytes = known.get(layout.stored(tableName(datasetId)));
      return bytes === undefined ? maxBlockRows : Math.max(1, Math.floor(maxBytes / bytes));
    },
  };
}
