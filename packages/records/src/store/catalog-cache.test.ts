import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCatalog } from '../../testing/memory-catalog.ts';
import { createCatalogCache } from './catalog-cache.ts';

/** A cache, and the labels of each call that made its catalog assign ids. The first call fails with `error`. */
function watched(error?: Error) {
  const catalog = createMemoryCatalog();
  const requested: string[][] = [];
  const cache = createCatalogCache({
    ...catalog,
    internLabels: async (datasetId, expressions) => {
      requested.push(expressions);
      if (error !== undefined && requested.length === 1) throw error;
      return catalog.internLabels(datasetId, expressions);
    },
  });
  return { cache, requested };
}

const letters = ['A', 'B', 'C', 'D', 'E'];

test('new labels of concurrent writes get their ids in one step, and each write gets the ids of its own labels', async () => {
  const { cache, requested } = watched();
  const ids = await Promise.all(letters.map(async (letter) => cache.labelIds('d', [letter, 'A'], 0)));
  assert.deepEqual(
    ids,
    letters.map((_, index) => [index, 0]),
  );
  assert.deepEqual(requested, [letters]);
});

test('where giving ids fails, the writes that waited ask again for their own alone', async () => {
  const { cache, requested } = watched(new Error('the connection is gone'));
  const first = assert.rejects(cache.labelIds('d', ['A'], 0), /the connection is gone/);
  const second = cache.labelIds('d', ['B'], 0);
  await first;
  assert.deepEqual(await second, [0]);
  assert.deepEqual(requested, [['A', 'B'], ['B']]);
});

test('a label that is requested under two versions of the column labels is looked up under each', async () => {
  const { cache, requested } = watched();
  const under = async (version: number): Promise<number[]> => cache.labelIds('d', ['A'], version);
  assert.deepEqual(await Promise.all([under(0), under(1), under(1)]), [[0], [0], [0]]);
  assert.deepEqual(requested, [['A'], ['A']]);
});
