import { compileUnfilteredPredicate, type LuceneNode } from '@redoubt/query';
import type { VisibleLabels } from '@redoubt/labels';
import type { CatalogCache } from './catalog-cache.ts';
import type { WordsByPathIndexes } from './words-by-path.ts';

/**
 * Compiles the search that a statement combines with its own conditions. The statement must also filter by label,
 * because the condition does not.
 */
export const createCompileMatching =
  ({
    cache,
    wordsByPath,
  }: {
    cache: Pick<CatalogCache, 'pathEntries'>;
    wordsByPath: Pick<WordsByPathIndexes, 'isFilled'>;
  }) =>
  async ({
    datasetId,
    visible,
    tree,
  }: {
    datasetId: string;
    visible: VisibleLabels;
    tree: LuceneNode;
  }): Promise<string> =>
    compileUnfilteredPredicate({
      tree,
      paths: await cache.pathEntries(datasetId),
      visible,
      byPath: await wordsByPath.isFilled(datasetId),
    }) ?? '0';
