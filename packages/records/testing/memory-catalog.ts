import type { InternedLabel } from '@redoubt/labels';
import type { KnownPath } from '../src/intake/path-registry.ts';
import type { DatasetCatalog } from '../src/store/dataset-catalog.ts';

/** A catalog in memory, for tests of the record store alone. */
export function createMemoryCatalog(): DatasetCatalog {
  const labels = new Map<string, InternedLabel[]>();
  const paths = new Map<string, KnownPath[]>();
  return {
    labels: async (datasetId, fromId) => listOf(labels, datasetId).slice(fromId),
    internLabels: async (datasetId, expressions) => {
      const known = listOf(labels, datasetId);
      for (const expression of expressions) {
        if (!known.some((label) => label.expression === expression))
          known.push({ id: known.length, expression });
      }
      return new Map(known.map(({ id, expression }) => [expression, id]));
    },
    paths: async (datasetId, fromId) =>
      listOf(paths, datasetId)
        .slice(fromId)
        .map((entry) => ({ ...entry })),
    internPaths: async (datasetId, requested) => {
      const known = listOf(paths, datasetId);
      for (const { path, kinds } of requested) {
        const before = known.find((entry) => entry.path === path);
        if (before === undefined) known.push({ id: known.length, path, kinds });
        else before.kinds |= kinds;
      }
      return new Map(known.map(({ id, path }) => [path, id]));
    },
  };
}

function listOf<Entry>(lists: Map<string, Entry[]>, datasetId: string): Entry[] {
  let list = lists.get(datasetId);
  if (list === undefined) lists.set(datasetId, (list = []));
  return list;
}
