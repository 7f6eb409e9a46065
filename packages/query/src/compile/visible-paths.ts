import { isHiddenPath, type VisibleLabels } from '@redoubt/labels';
import type { PathCatalog, PathEntry } from './search-types.ts';

/**
 * The numbers of paths that a reader does not see, and how many numbers were given when they were looked up; undefined
 * where the reader sees all columns.
 */
export type HiddenPathIds =
  | {
      readonly ids: readonly number[];
      readonly known: number;
      /** The paths that they see, where the index of words by path is to be asked; few enough to be named one by one. */
      readonly places: readonly PathEntry[] | undefined;
    }
  | undefined;

/** Up to so many visible paths are named one by one: that is many times faster than to take the others out. */
export const maxListedPaths = 300;

/** The paths of a dataset as one reader knows them: hidden ones are not among them. */
export interface VisiblePaths {
  get(path: string): PathEntry | undefined;
  readonly hidden: HiddenPathIds;
  /** Whether words of a field are looked up in the index of words by path. */
  readonly byPath: boolean;
}

/**
 * Takes the paths that a reader does not see out of a catalog.
 * @param byPath whether the dataset has the index of words by path
 */
export function selectVisiblePaths(
  paths: PathCatalog,
  { hidden }: Pick<VisibleLabels, 'hidden'>,
  byPath = false,
): VisiblePaths {
  if (hidden.length === 0) return { get: (path) => paths.get(path), hidden: undefined, byPath };
  const ids: number[] = [];
  const seen: PathEntry[] = [];
  for (const [path, entry] of paths) {
    if (isHiddenPath(hidden, path)) ids.push(entry.pathId);
    else seen.push(entry);
  }
  const places = byPath && seen.length <= maxListedPaths ? seen : undefined;
  return {
    get: (path) => (isHiddenPath(hidden, path) ? undefined : paths.get(path)),
    hidden: { ids, known: paths.size, places },
    byPath: places !== undefined,
  };
}
