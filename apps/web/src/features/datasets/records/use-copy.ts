import { countCells, formatCells, formatNumber, type CellRange, type CopyFormat } from '@redoubt/ui';
import { useState } from 'react';
import type { RecordRow, RowPages } from './row-pages.ts';

/** The maximum number of cells to copy at once. */
const maxCells = 200_000;

/** Copies cells, including those of rows that are not loaded, and sets `message` to the outcome. */
export const useCopy = (pages: RowPages, names: readonly string[]) => {
  const [message, setMessage] = useState('');

  const rowsOf = async (range: CellRange, fields: readonly string[]): Promise<(RecordRow | undefined)[]> => {
    const loaded = Array.from({ length: range.lastRow - range.firstRow + 1 }, (_, at) =>
      pages.recordAt(range.firstRow + at),
    );
    if (loaded.every((row) => row !== undefined)) return loaded;
    return pages.load(range.firstRow, range.lastRow + 1, fields);
  };

  const copy = async (range: CellRange, format: CopyFormat): Promise<void> => {
    const cells = countCells(range);
    if (cells > maxCells) {
      setMessage(
        `Nothing was copied: choose at most ${formatNumber(maxCells)} cells, not ${formatNumber(cells)}.`,
      );
      return;
    }
    try {
      const fields = names.slice(range.firstColumn, range.lastColumn + 1);
      const rows = await rowsOf(range, fields);
      const values = rows.map((row) => fields.map((name) => row?.cells[name]));
      await navigator.clipboard.writeText(formatCells({ names: fields, rows: values }, format));
      const cut = rows.reduce(
        (sum, row) => sum + (row?.cut.filter((name) => fields.includes(name)).length ?? 0),
        0,
      );
      const short = cut === 0 ? '' : `, ${formatNumber(cut)} of them only to their first 500 characters`;
      setMessage(`Copied ${formatNumber(cells)} ${cells === 1 ? 'cell' : 'cells'}${short}.`);
    } catch (error) {
      setMessage(`Nothing was copied: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  return { copy, message, clear: () => setMessage('') };
};
