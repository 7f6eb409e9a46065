import { isHiddenPath, type VisibleLabels } from '@redoubt/labels';
import type { PathCatalog, PathEntry } from './search-types.ts';

/**
 * The numbers of paths that a reader does not see, and how many numbers were given when they were looked up; undefined
 * where the reader sees all columns.
 */
export type HiddenPaths = { readonly ids: readonly number[]; readonly known: number } | undefined;

/** The paths of a dataset as one reader knows them: hidden ones are not among them. */
export interface VisiblePaths {
  get(path: string): PathEntry | undefined;
  readonly hidden: HiddenPaths;
}

/** Takes the paths that a reader does not see out of a catalog. */
export function visiblePaths(paths: PathCatalog, { hidden }: Pick<VisibleLabels, 'hidden'>): VisiblePaths {
  if (hidden.length === 0) return { get: (path) => paths.get(path), hidden: undefined };
  const ids: number[] = [];
  for (const [path, { pathId }] of paths) if (isHiddenPath(hidden, path)) ids.push(pathId);
  return {
    get: (path) => (isHiddenPath(hidden, path) ? undefined : paths.get(path)),
    hidden: { ids, known: paths.size },
  };
}
