import { quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

/** Rows of one block: enough to be fast, and few enough to stay in memory while a slow reader reads them. */
export const maxBlockRows = 8192;
/** Bytes of one block, with all columns of its rows. */
const maxBytes = 32_000_000;
/** How long a process caches the sizes. The rows of a response do not depend on them. */
const knownMilliseconds = 10_000;

export interface BlockSizes {
  /**
   * Returns how many rows a block of a long response may have; fewer if the records of the dataset are large. If parts
   * of a table overlap, for example after replacements, the engine (chdb 3.4.0) merges their rows into blocks of this
   * many rows, whatever their size, and needs five times the bytes of a block as memory.
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
  /** The bytes of a row, for all tables with large rows: a query for one table would cost as much as for all. */
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
