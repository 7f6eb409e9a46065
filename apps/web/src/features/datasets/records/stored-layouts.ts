import { maxColumnWidth, minColumnWidth } from '@redoubt/ui/columns';
import { parseLayout, printLayout, renameColumns, type ColumnLayout } from './column-layout.ts';
import type { Mark } from './column-marks.ts';

const limits = { min: minColumnWidth, max: maxColumnWidth };

const prefix = 'redoubt-layout-';
/** The prefix of an earlier version, whose hashes could be guessed. */
const oldPrefix = 'redoubt-columns-';

/** Whether this browser stores a layout of any dataset and person. Deletes those of an earlier version. */
export const hasStoredLayouts = (): boolean => {
  const all = Object.keys(localStorage);
  for (const key of all) if (key.startsWith(oldPrefix)) localStorage.removeItem(key);
  return all.some((key) => key.startsWith(prefix));
};

/**
 * The layout of one dataset in the storage of this browser. It contains keyed hashes instead of names, so that others
 * cannot find out the dataset and its columns.
 */
export interface StoredLayout {
  read(): ColumnLayout;
  /** Stores a layout at once, so that a reload right afterwards finds it. */
  write(layout: ColumnLayout): void;
}

/**
 * Opens the stored layout of a dataset.
 * @param names the names of all columns of the dataset
 */
export const openStoredLayout = async (
  mark: Mark,
  datasetId: string,
  names: readonly string[],
): Promise<StoredLayout> => {
  const key = `${prefix}${await mark(JSON.stringify(['dataset', datasetId]))}`;
  const marks = await Promise.all(
    names.map(async (name) => [name, await mark(JSON.stringify(['column', datasetId, name]))] as const),
  );
  const markOf = new Map(marks);
  const nameOf = new Map(marks.map(([name, own]) => [own, name]));
  return {
    read: () => renameColumns(parseLayout(localStorage.getItem(key), limits), nameOf),
    write: (layout) => {
      const marked = renameColumns(layout, markOf);
      if (marked.columns.length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, printLayout(marked));
    },
  };
};
