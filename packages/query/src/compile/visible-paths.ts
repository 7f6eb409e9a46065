import { isHiddenPath, type VisibleLabels } from '@redoubt/labels';
import type { PathCatalog, PathEntry } from './search-types.ts';

/**
 * The ids of the paths that are hidden from a reader. `known` is the number of paths when the list was made; newer
 * paths, whose ids are `known` or higher, count as hidden. Undefined if the reader sees all columns.
 */
export type HiddenPathIds =
  | {
      readonly ids: readonly number[];
      readonly known: number;
      /** The visible paths, if searches should use the word index by path and the list is short enough. */
      readonly indexedPaths: readonly PathEntry[] | undefined;
    }
  | undefined;

/** Statements list up to this many visible paths, which is many times faster than excluding the hidden ones. */
export const maxListedPaths = 300;

/** The paths of a dataset that are visible to one reader. */
export interface VisiblePaths {
  get(path: string): PathEntry | undefined;
  readonly hidden: HiddenPathIds;
  /** Whether searches on a field use the word index by path. */
  readonly byPath: boolean;
}

/**
 * Returns the paths of a catalog without those that are hidden from a reader.
 * @param byPath whether the dataset has the word index by path
 */
export function selectVisiblePaths(
  paths: PathCatalog,
  { hidden }: Pick<VisibleLabels, 'hidden'>,
  byPath = false,
): VisiblePaths {
  if (hidden.length === 0) return { get: (path) => paths.get(path), hidden: undefined, byPath };
  const ids: number[] = [];
  const shown: PathEntry[] = [];
  for (const [path, entry] of paths) {
    if (isHiddenPath(hidden, path)) ids.push(entry.pathId);
    else shown.push(entry);
  }
  const indexedPaths = byPath && shown.length <= maxListedPaths ? shown : undefined;
  return {
    get: (path) => (isHiddenPath(hidden, path) ? undefined : paths.get(path)),
    hidden: { ids, known: paths.size, indexedPaths },
    byPath: indexedPaths !== undefined,
  };
}
