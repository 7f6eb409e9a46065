import { quoteString, wordsByPathIndex } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

export interface WordIndexing {
  /**
   * Gives a dataset the index of words by path, which readers who do not see all columns need. The engine fills it with what is
   * there while it does other work. A dataset keeps it from then on.
   */
  indexWordsByPath(datasetId: string): Promise<void>;
}

export interface WordsByPath extends WordIndexing {
  /** Whether the index is there and filled: asked before, it would be made for each record anew. */
  isFilled(datasetId: string): Promise<boolean>;
  forget(datasetId: string): void;
}

const { name, definition } = wordsByPathIndex;
/** Both indexes hold the same words, this one with more marks: where it is much smaller, it is not filled yet. */
const leastOfWords = 0.8;

export function createWordsByPath({
  engine,
  database,
  layout,
}: {
  engine: Engine;
  database: string;
  layout: TableLayout;
}): WordsByPath {
  const made = new Set<string>();
  const filled = new Set<string>();
  const ofTable = (datasetId: string): string =>
    `database = ${quoteString(database)} AND table = ${quoteString(layout.stored(tableName(datasetId)))}`;

  async function state(datasetId: string): Promise<{ isMade: boolean; isFilled: boolean }> {
    const text = await engine.text(
      `SELECT countIf(name = '${name}'), sumIf(data_uncompressed_bytes, name = '${name}'), sumIf(data_uncompressed_bytes, name = 'words_index') FROM system.data_skipping_indices WHERE ${ofTable(datasetId)}`,
      { lane: 'short' },
    );
    const [count = 0, bytes = 0, ofWords = 0] = text.trim().split('\t').map(Number);
    return { isMade: count > 0, isFilled: count > 0 && bytes >= leastOfWords * ofWords };
  }

  const isBeingFilled = async (datasetId: string): Promise<boolean> =>
    (
      await engine.text(
        `SELECT count() FROM system.mutations WHERE ${ofTable(datasetId)} AND NOT is_done AND position(command, '${name}') > 0`,
        { lane: 'short' },
      )
    ).trim() !== '0';

  return {
    async indexWordsByPath(datasetId) {
      if (made.has(datasetId)) return;
      const { isMade, isFilled } = await state(datasetId);
      const alter = layout.alter(tableName(datasetId));
      if (!isMade) {
        await engine.command(`${alter} ADD INDEX IF NOT EXISTS ${name} ${definition}`, { lane: 'short' });
      }
      if (!isFilled && !(await isBeingFilled(datasetId))) {
        await engine.command(`${alter} MATERIALIZE INDEX ${name}`, {
          lane: 'short',
          settings: { mutations_sync: 0 },
        });
      }
      made.add(datasetId);
    },

    async isFilled(datasetId) {
      if (!filled.has(datasetId) && (await state(datasetId)).isFilled) filled.add(datasetId);
      return filled.has(datasetId);
    },

    forget(datasetId) {
      made.delete(datasetId);
      filled.delete(datasetId);
    },
  };
}
