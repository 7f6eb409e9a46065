import { LRUCache } from 'lru-cache';
import type { InternedLabel } from '@redoubt/labels';
import type { PathEntry } from '@redoubt/query';
import type { KnownPath } from '../intake/path-registry.ts';
import type { DatasetCatalog } from './dataset-catalog.ts';

/** The cached labels and paths of a dataset. Both lists only grow. */
interface Known {
  labels: InternedLabel[];
  labelIds: Map<string, number>;
  /** The version of the column labels under which the label ids were assigned. */
  labelVersion: number | undefined;
  /** Labels that wait for an id; one lookup gets the ids of all of them. */
  awaited: Set<string>;
  paths: KnownPath[];
  pathEntries: Map<string, PathEntry>;
  hasPaths: boolean;
  pathVersion: number | undefined;
  /** The last operation on the dataset. Operations run one after another, so that nothing is appended twice. */
  tail: Promise<unknown>;
}

export interface CatalogCache {
  /** Returns all labels by id. Reads new ones from the catalog if fewer than `count` are cached. */
  labels(datasetId: string, count: number): Promise<readonly InternedLabel[]>;
  /**
   * @param version the version of the column labels; ids from another version are not reused. Without it, nothing is
   *   cached.
   */
  labelIds(datasetId: string, expressions: readonly string[], version?: number): Promise<number[]>;
  /** All paths in the order of their ids. */
  paths(datasetId: string): Promise<readonly KnownPath[]>;
  /**
   * All paths by name, for the compiler of searches.
   * @param version the version of the paths, if the caller knows it; otherwise it is looked up
   */
  pathEntries(datasetId: string, version?: number): Promise<ReadonlyMap<string, PathEntry>>;
  /** Adds paths and kinds before records use them, and returns the ids of the paths in the given order. */
  internPaths(datasetId: string, paths: readonly { path: string; kinds: number }[]): Promise<number[]>;
  forget(datasetId: string): void;
}

const maxDatasets = 1000;

/**
 * Caches the catalog. A stale cache has fewer labels, which is safe: an unknown label is visible to nobody.
 * @param grown called for datasets with new paths or new kinds of values
 */
export function createCatalogCache(
  catalog: DatasetCatalog,
  grown: (datasetId: string) => void = () => undefined,
): CatalogCache {
  const datasets = new LRUCache<string, Known>({ max: maxDatasets, memoMethod: emptyKnown });

  function inTurn<Result>(datasetId: string, work: (known: Known) => Promise<Result>): Promise<Result> {
    const known = datasets.memo(datasetId);
    const result = known.tail.then(async () => work(known));
    known.tail = result.catch(() => undefined);
    return result;
  }

  async function readLabels(datasetId: string, known: Known, count: number): Promise<void> {
    if (known.labels.length >= count) return;
    for (const label of await catalog.labels(datasetId, known.labels.length)) {
      known.labels.push(label);
    }
  }

  async function readPaths(datasetId: string, known: Known): Promise<void> {
    for (const entry of await catalog.paths(datasetId, known.paths.length)) {
      known.paths.push(entry);
      known.pathEntries.set(entry.path, { pathId: entry.id, kinds: entry.kinds });
    }
    known.hasPaths = true;
  }

  const withPaths = async (datasetId: string, asOf?: number): Promise<Known> =>
    inTurn(datasetId, async (known) => {
      // Read the version first, so that newer paths are read again at the next lookup.
      const version =
        catalog.pathVersion === undefined ? undefined : (asOf ?? (await catalog.pathVersion(datasetId)));
      if (known.pathVersion !== version) {
        known.paths = [];
        known.pathEntries = new Map();
        known.hasPaths = false;
      }
      if (!known.hasPaths) await readPaths(datasetId, known);
      known.pathVersion = version;
      return known;
    });

  return {
    labels: async (datasetId, count) =>
      inTurn(datasetId, async (known) => {
        await readLabels(datasetId, known, count);
        return known.labels;
      }),

    labelIds: async (datasetId, expressions, version) => {
      const { awaited, labelIds } = datasets.memo(datasetId);
      for (const expression of expressions) if (!labelIds.has(expression)) awaited.add(expression);
      return inTurn(datasetId, async (known) => {
        if (version === undefined || known.labelVersion !== version) {
          known.labelIds = new Map();
          known.labelVersion = version;
        }
        for (const expression of expressions) known.awaited.delete(expression);
        const missing = expressions.filter((expression) => !known.labelIds.has(expression));
        if (missing.length > 0) {
          // Each lookup is a transaction, and every label of a write may be new, so look up all waiting labels at once.
          const others = [...known.awaited].filter((expression) => !known.labelIds.has(expression));
          known.awaited.clear();
          const added = await catalog.internLabels(datasetId, [...new Set([...missing, ...others])]);
          let highest = -1;
          for (const [expression, id] of [...added].toSorted(([, a], [, b]) => a - b)) {
            known.labelIds.set(expression, id);
            if (id === known.labels.length) known.labels.push({ id, expression });
            highest = id;
          }
          // Other processes may have assigned the ids in between.
          await readLabels(datasetId, known, highest + 1);
        }
        return expressions.map((expression) => idOf(known.labelIds.get(expression)));
      });
    },

    paths: async (datasetId) => (await withPaths(datasetId)).paths,

    pathEntries: async (datasetId, version) => (await withPaths(datasetId, version)).pathEntries,

    internPaths: async (datasetId, paths) =>
      inTurn(datasetId, async (known) => {
        const news = paths.filter(({ path, kinds }) => {
          const before = known.pathEntries.get(path);
          return before === undefined || (before.kinds | kinds) !== before.kinds;
        });
        if (news.length > 0) {
          await catalog.internPaths(datasetId, [...news]);
          grown(datasetId);
          await readPaths(datasetId, known);
          for (const { path, kinds } of news) widen(known, path, kinds);
        }
        return paths.map(({ path }) => idOf(known.pathEntries.get(path)?.pathId));
      }),

    forget: (datasetId) => {
      datasets.delete(datasetId);
    },
  };
}

const emptyKnown = (): Known => ({
  labels: [],
  labelIds: new Map(),
  labelVersion: 0,
  awaited: new Set(),
  paths: [],
  pathEntries: new Map(),
  hasPaths: false,
  pathVersion: undefined,
  tail: Promise.resolve(),
});

function widen(known: Known, path: string, kinds: number): void {
  const entry = known.pathEntries.get(path);
  const listed = entry === undefined ? undefined : known.paths[entry.pathId];
  if (entry === undefined || listed === undefined) return;
  entry.kinds |= kinds;
  listed.kinds |= kinds;
}

function idOf(id: number | undefined): number {
  if (id === undefined) throw new Error('The catalog must return an id for each label and path, got none.');
  return id;
}
