import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createPgliteClient, type PgliteClient } from './pglite-client.ts';

describe('statements on the embedded database', () => {
  let db: PgliteClient;
  before(async () => {
    db = await createPgliteClient(undefined);
    await db.query(
      'create table people (id int primary key, name text, tags text[], more jsonb, at timestamptz)',
    );
  });
  after(() => db.close());

  const insert = 'insert into people (id, name, tags, more, at) values ($1, $2, $3, $4, $5)';
  const select = 'select * from people where id = $1';

  test('a repeated statement uses its own parameters and returns values as they were written', async () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    const people = [
      { id: 1, name: 'Ada', tags: ['a', 'b"c'], more: { deep: [1, null] }, at },
      { id: 2, name: null, tags: null, more: null, at: null },
      { id: 3, name: '', tags: [], more: { text: 'ü' }, at },
    ];
    for (const { id, name, tags, more, at } of people) {
      equal((await db.query(insert, [id, name, tags, more, at])).affectedRows, 1);
    }
    for (const person of people) deepEqual((await db.query(select, [person.id])).rows, [person]);
    deepEqual((await db.query(select, [4])).rows, []);
    equal((await db.query('update people set name = name where id > $1', [0])).affectedRows, 3);
  });

  test('a failed statement can run again, and so can others after it', async () => {
    await rejects(db.query(insert, [1, 'again', null, null, null]), {
      code: '23505',
      constraint: 'people_pkey',
    });
    await rejects(db.query('select 1 / $1::int as one', [0]), { code: '22012' });
    await rejects(db.query('select nothing from people'), { code: '42703' });
    await rejects(db.query('selec'), { code: '42601' });
    await rejects(db.query('selec'), { code: '42601' });
    deepEqual((await db.query('select 1 / $1::int as one', [1])).rows, [{ one: 1 }]);
    equal((await db.query(insert, [5, 'Eve', null, null, null])).affectedRows, 1);
  });

  test('a failed transaction is rolled back, whether its statements were prepared before or not', async () => {
    const failing = async (before: string): Promise<void> => {
      await rejects(
        db.transaction(async ({ query }) => {
          await query(before, [10]);
          await query(insert, [10, 'twice', null, null, null]);
        }),
        { code: '23505' },
      );
      deepEqual((await db.query(select, [10])).rows, []);
    };
    const known = 'insert into people (id) values ($1)';
    await db.query(known, [6]);
    await failing(known);
    await failing('insert into people (id, name) values ($1, null)');
    await db.transaction(({ query }) => query(known, [7]));
    equal((await db.query(select, [7])).rows.length, 1);
  });

  test('a prepared statement sees the current columns', async () => {
    const columns = async (): Promise<string[]> => {
      const [person] = (await db.query(select, [1])).rows;
      return Object.keys(person as object);
    };
    deepEqual(await columns(), ['id', 'name', 'tags', 'more', 'at']);
    await db.query('alter table people add column email text');
    deepEqual(await columns(), ['id', 'name', 'tags', 'more', 'at', 'email']);
    await db.query('alter table people drop column email');
    deepEqual(await columns(), ['id', 'name', 'tags', 'more', 'at']);
    const seen: string[][] = [];
    await rejects(
      db.transaction(async ({ query }) => {
        await query('alter table people add column email text');
        seen.push(Object.keys((await query(select, [1])).rows[0] as object));
        await query('select 1 / 0');
      }),
      { code: '22012' },
    );
    deepEqual(
      [seen, await columns()],
      [[['id', 'name', 'tags', 'more', 'at', 'email']], ['id', 'name', 'tags', 'more', 'at']],
    );
  });

  test('more statements than the cache holds, and a frequent one, all return their rows', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let number = 0; number < 320; number += 1) {
        deepEqual((await db.query(`select ${number} as n where $1`, [true])).rows, [{ n: number }]);
      }
    }
    for (let number = 0; number < 250; number += 1) {
      deepEqual((await db.query('select $1::int as n', [number])).rows, [{ n: number }]);
    }
  });

  test('long statements return their rows', async () => {
    const ids = Array.from({ length: 2000 }, (_, index) => index);
    const list = ids.map((id) => `$${id + 1}`).join(', ');
    const { rows } = await db.query(`select count(*) as n from people where id in (${list})`, ids);
    deepEqual(rows, [{ n: 6 }]);
  });
});
