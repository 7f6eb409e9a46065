import { maxColumnWidth, minColumnWidth } from '@redoubt/ui';
import { parseLayout, printLayout, renameColumns, type ColumnLayout } from './column-layout.ts';
import type { Mark } from './column-marks.ts';

const limits = { min: minColumnWidth, max: maxColumnWidth };

const prefix = 'redoubt-layout-';
/** Of an earlier version, whose marks could be guessed. */
const oldPrefix = 'redoubt-columns-';

const storageKey = async (mark: Mark, datasetId: string): Promise<string> =>
  `${prefix}${await mark(JSON.stringify(['dataset', datasetId]))}`;

const marksOf = async (
  mark: Mark,
  datasetId: string,
  names: readonly string[],
): Promise<(readonly [name: string, mark: string])[]> =>
  Promise.all(
    names.map(async (name) => [name, await mark(JSON.stringify(['column', datasetId, name]))] as const),
  );

/** Whether this browser holds a layout of any dataset and person. */
export const hasStoredLayouts = (): boolean => {
  const all = Object.keys(localStorage);
  for (const key of all) if (key.startsWith(oldPrefix)) localStorage.removeItem(key);
  return all.some((key) => key.startsWith(prefix));
};

/** @param names all columns of the dataset */
export const readLayout = async (
  mark: Mark,
  datasetId: string,
  names: readonly string[],
): Promise<ColumnLayout> => {
  const stored = localStorage.getItem(await storageKey(mark, datasetId));
  if (stored === null) return { columns: [] };
  const marks = await marksOf(mark, datasetId, names);
  return renameColumns(parseLayout(stored, limits), new Map(marks.map(([name, own]) => [own, name])));
};

/** @param isLatest whether the layout has not changed again meanwhile */
export const writeLayout = async (
  mark: Mark,
  datasetId: string,
  layout: ColumnLayout,
  isLatest: () => boolean,
): Promise<void> => {
  const key = await storageKey(mark, datasetId);
  const names = layout.columns.flatMap(({ name, before }) => [
    name,
    ...(typeof before === 'string' ? [before] : []),
  ]);
  const marked = renameColumns(layout, new Map(await marksOf(mark, datasetId, names)));
  if (!isLatest()) return;
  if (marked.columns.length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, printLayout(marked));
};
