import { isHiddenPath, type SortedPaths, type VisibleLabels } from '@redoubt/labels';
import { pathOfCode } from '@redoubt/query';
import type { CatalogCache } from './catalog-cache.ts';
import type { Counters } from './counters.ts';

/** The fields that a reader has seen, for deciding later whether a change of column labels concerns them. */
export interface SeenPaths {
  /**
   * The codes of the fields of all records with visible labels, also of hidden columns. The set never changes, and the
   * same set is returned until a label gets its first record with a field or loses its last.
   */
  fieldCodes(datasetId: string, visible: VisibleLabels): Promise<ReadonlySet<number>>;
  /**
   * The paths with these codes that are not hidden.
   * @throws Error for a code without a path
   */
  pathsOfCodes(datasetId: string, codes: Iterable<number>, hidden: SortedPaths): Promise<SortedPaths>;
}

export const createSeenPaths = ({
  cache,
  counters,
}: {
  cache: Pick<CatalogCache, 'paths'>;
  counters: Pick<Counters, 'visibleCodes'>;
}): SeenPaths => ({
  fieldCodes: counters.visibleCodes,
  pathsOfCodes: async (datasetId, codes, hidden) => {
    const known = await cache.paths(datasetId);
    const paths = new Set<string>();
    for (const code of codes) {
      const path = known[pathOfCode(code)]?.path;
      if (path === undefined) throw new Error('The catalog must have a path for each code, got none.');
      if (!isHiddenPath(hidden, path)) paths.add(path);
    }
    return [...paths].toSorted();
  },
});
