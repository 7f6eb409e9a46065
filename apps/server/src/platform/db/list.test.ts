import { acquireTestDatabase, testEpoch, type TestDatabase } from '@redoubt/server/testing';
import { sql, type KyselyPlugin } from 'kysely';
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readPage } from './list.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const id = sql.ref<string>('accounts.id');

describe('lists', () => {
  let database: TestDatabase;
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  before(async () => {
    database = await acquireTestDatabase();
    await database.db
      .insertInto('accounts')
      .values(
        ids.map((each) => ({
          id: each,
          email: `${each}@example.org`,
          first_name: 'Any',
          last_name: 'Body',
          password_hash: null,
          verified: true,
          created_at: testEpoch,
          updated_at: testEpoch,
        })),
      )
      .execute();
  });
  after(() => database.giveBack());

  test('every page of a list has the total, and a count runs only if the page does not show it', async () => {
    const query = database.db.withPlugin(counting).selectFrom('accounts').select('id');
    const twice: string[] = [];
    for (const limit of [-1, 0, 2, 5]) {
      for (const skip of [0, 4, 9]) {
        statements = 0;
        const list = { limit, skip, sort: [], where: [], or: [] };
        const page = await readPage(query, list, { id }, id);
        const expected = ids
          .slice(skip, limit === -1 ? undefined : skip + limit)
          .map((each) => ({ id: each }));
        deepEqual(page, { total: ids.length, limit, skip, data: expected }, `${limit} from ${skip}`);
        if (statements === 2) twice.push(`${limit} from ${skip}`);
        else equal(statements, 1);
      }
    }
    // A full page may not be the last one, and a page beyond the end has no rows to count from.
    deepEqual(twice, ['-1 from 9', '2 from 0', '2 from 9', '5 from 0', '5 from 9']);
  });
});
