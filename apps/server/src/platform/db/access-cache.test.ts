import { metadataEngine, acquireTestDatabase, type TestDatabase } from '@redoubt/server/testing';
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createAccessCache, catalogOnlyMark, type ReadCached } from './access-cache.ts';

describe('a value cached from the metadata database', () => {
  let database: TestDatabase;
  let cached: ReadCached;
  let reads = 0;

  before(async () => {
    database = await acquireTestDatabase();
  });
  beforeEach(async () => {
    await database.db.deleteFrom('retired_slugs').execute();
    cached = createAccessCache(database.db, 100);
    reads = 0;
  });
  after(() => database.giveBack());

  const retire = (slug: string) => database.db.insertInto('retired_slugs').values({ slug }).execute();
  const slugs = (): Promise<string[]> =>
    cached('slugs', async () => {
      reads += 1;
      const rows = await database.db.selectFrom('retired_slugs').select('slug').orderBy('slug').execute();
      return rows.map(({ slug }) => slug);
    });

  const readsOf = async (cache: ReadCached): Promise<number> => {
    const before = reads;
    await cache('reads', () => Promise.resolve((reads += 1)));
    return reads - before;
  };

  test('is read again after any change, and only then', async () => {
    await retire('a');
    deepEqual([await slugs(), await slugs()], [['a'], ['a']]);
    equal(reads, 1);
    await retire('b');
    deepEqual(await slugs(), ['a', 'b']);
  });

  test('is never older than the last committed transaction', async () => {
    await slugs();
    const writing = database.db.transaction().execute(async (trx) => {
      await trx.insertInto('retired_slugs').values({ slug: 'c' }).execute();
      await trx.insertInto('retired_slugs').values({ slug: 'd' }).execute();
    });
    const reading = Array.from({ length: 20 }, () => slugs());
    await writing;
    deepEqual(await slugs(), ['c', 'd']);
    for (const found of await Promise.all(reading)) equal([0, 2].includes(found.length), true);
    deepEqual(await slugs(), ['c', 'd']);
  });

  test('is read again after a change to labels of datasets if it depends on them, and after every other change', async () => {
    const withCatalog = createAccessCache(database.db, 100, { withCatalog: true });
    const both = async () => [await readsOf(cached), await readsOf(withCatalog)];
    await both();
    deepEqual(await both(), [0, 0]);
    const count = database.db.updateTable('datasets').set({ label_count: 1 });
    const isEmbedded = metadataEngine() === 'pglite';
    await count.modifyEnd(catalogOnlyMark).execute();
    // With a PostgreSQL server, the version covers all changes of datasets.
    deepEqual(await both(), [isEmbedded ? 0 : 1, 1]);
    await database.db.transaction().execute(async (trx) => {
      await trx.updateTable('datasets').set({ label_count: 1 }).modifyEnd(catalogOnlyMark).execute();
    });
    deepEqual(await both(), [isEmbedded ? 0 : 1, 1]);
    await database.db.transaction().execute(async (trx) => {
      await trx.updateTable('datasets').set({ label_count: 1 }).modifyEnd(catalogOnlyMark).execute();
      await trx.insertInto('retired_slugs').values({ slug: 'e' }).execute();
    });
    deepEqual(await both(), [1, 1]);
  });

  test('is not kept if reading it failed', async () => {
    await rejects(cached('x', () => Promise.reject(new Error('no'))));
    equal(await cached('x', () => Promise.resolve(7)), 7);
  });
});
