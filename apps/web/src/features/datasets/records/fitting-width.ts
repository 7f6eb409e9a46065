import { formatValue, maxColumnWidth, minColumnWidth, type GridColumn } from '@redoubt/ui';
import type { RowPages } from './row-pages.ts';

const characterWidth = 7.5;

/**
 * The width in pixels at which the name of a column and its values in these rows are not truncated, within
 * the limits.
 */
export const fittingWidth = (
  { name, type = '' }: GridColumn,
  pages: Pick<RowPages, 'recordAt'>,
  { first, end }: { first: number; end: number },
): number => {
  const loaded = Array.from({ length: end - first }, (_, at) => pages.recordAt(first + at));
  const lengths = loaded.map((row) => formatValue(row?.cells[name]).length);
  const characters = Math.max(name.length + type.length + 6, ...lengths);
  return Math.max(minColumnWidth, Math.min(maxColumnWidth, characters * characterWidth + 24));
};
