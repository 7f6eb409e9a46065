import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { createPgliteClient } from './pglite-client.ts';
import { createReadCache, isPureRead } from './read-cache.ts';

describe('which statements are answered from memory', () => {
  const pure = [
    'select "id" from "accounts" where "id" = $1',
    'SELECT "updated_at", "deleted" from "update" where "for" = $1',
    'with recursive "my_groups" as (select 1) select * from "my_groups" where "id" = $1',
  ];
  const impure = [
    'insert into "accounts" ("id") values ($1)',
    'update "accounts" set "email" = $1',
    'delete from "accounts" where "id" = $1',
    'select "id" from "datasets" where "id" = $1 for update',
    'with "gone" as (delete from "accounts" where "id" = $1 returning *) select * from "gone"',
    'select nextval($1)',
    'select pg_advisory_xact_lock($1)',
    'select now() > $1',
    'select current_timestamp > $1',
    'create table "x" (a int)',
  ];
  test('a statement that only reads stored rows may be answered from memory', () => {
    for (const sql of pure) assert.equal(isPureRead(sql, ['x']), true, sql);
  });
  test('a statement that writes, locks or depends on the moment is never answered from memory', () => {
    for (const sql of impure) assert.equal(isPureRead(sql, ['x']), false, sql);
  });
  test('a statement without parameters always reaches the database', () => {
    assert.equal(isPureRead('select 1', []), false);
  });
});

describe('the memory of answers', () => {
  test('whoever changes a row that was read changes it for nobody else', () => {
    const cache = createReadCache<{ a: number }>(10);
    const rows = [{ a: 1 }];
    cache.keep('s', [], rows);
    for (const row of rows) row.a = 2;
    for (const row of cache.get('s', []) ?? []) row.a = 3;
    assert.deepEqual(cache.get('s', []), [{ a: 1 }]);
  });
  test('the memory of answers stays within its bound', () => {
    const cache = createReadCache<{ a: number }>(3);
    cache.keep('big', [], [{ a: 1 }, { a: 2 }, { a: 3 }]);
    assert.equal(cache.get('big', []), undefined);
    cache.keep('s', [1], [{ a: 1 }]);
    cache.keep('s', [2], [{ a: 2 }]);
    assert.equal(cache.get('s', [1]), undefined);
    assert.deepEqual(cache.get('s', [2]), [{ a: 2 }]);
  });
});

describe('the embedded metadata database', () => {
  let client: Awaited<ReturnType<typeof createPgliteClient>>;
  const read = async (key: number): Promise<unknown[]> =>
    (await client.query('select "value" from "cells" where "key" = $1', [key])).rows;

  before(async () => {
    client = await createPgliteClient(undefined);
    await client.query('create table cells (key int primary key, value int)', []);
  });
  after(() => client.close());

  test('a read that was answered before sees what was written since', async () => {
    assert.deepEqual(await read(-1), []);
    await client.query('insert into cells values ($1, $2)', [-1, 1]);
    assert.deepEqual(await read(-1), [{ value: 1 }]);
    await client.query('update cells set value = $1 where key = $2', [2, -1]);
    assert.deepEqual(await read(-1), [{ value: 2 }]);
  });

  test('a read that was answered before sees what a transaction changed, and not what it rolled back', async () => {
    await read(-2);
    await client.transaction(async (trx) => {
      await trx.query('insert into cells values ($1, $2)', [-2, 1]);
    });
    assert.deepEqual(await read(-2), [{ value: 1 }]);
    const failing = client.transaction(async (trx) => {
      await trx.query('update cells set value = $1 where key = $2', [9, -2]);
      throw new Error('given up');
    });
    const meanwhile = read(-2);
    await assert.rejects(failing, /given up/);
    assert.deepEqual(await meanwhile, [{ value: 1 }]);
    assert.deepEqual(await read(-2), [{ value: 1 }]);
  });

  test('reads and writes asked for at once answer as if each went to the database in turn', async () => {
    const step = fc.record({ key: fc.nat(2), value: fc.option(fc.nat(9)) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        await client.query('delete from cells', []);
        const expected = new Map<number, number>();
        const checks = steps.map(async ({ key, value }) => {
          if (value === null) {
            const known = expected.get(key);
            const wanted = known === undefined ? [] : [{ value: known }];
            assert.deepEqual(await read(key), wanted);
            return;
          }
          expected.set(key, value);
          await client.query('insert into cells values ($1, $2) on conflict (key) do update set value = $2', [
            key,
            value,
          ]);
        });
        await Promise.all(checks);
      }),
      { numRuns: 30 },
    );
  });
});
