import { acquireTestDatabase, type TestDatabase } from '@redoubt/server/testing';
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRunningQueryRepository, type RunningQueryRepository } from './running-queries.repository.ts';

describe('named queries of several processes', () => {
  let database: TestDatabase;
  let queries: RunningQueryRepository;
  before(async () => {
    database = await acquireTestDatabase();
    queries = createRunningQueryRepository(database.db);
  });
  after(() => database.giveBack());

  test('a process learns which of its queries another process was asked to cancel, until they have ended', async () => {
    await queries.add({ id: '1', process: 'a', nameHash: 'x' });
    await queries.add({ id: '2', process: 'a', nameHash: 'y' });
    await queries.add({ id: '3', process: 'b', nameHash: 'x' });
    equal(await queries.cancelElsewhere('b', 'x'), 1);
    deepEqual([await queries.cancelled('a'), await queries.cancelled('b')], [['1'], []]);
    equal(await queries.cancelElsewhere('b', 'z'), 0);
    await queries.remove('1');
    deepEqual(await queries.cancelled('a'), []);
    equal(await queries.cancelElsewhere('b', 'x'), 0);
  });

  test('queries of a crashed process cannot be cancelled, and are deleted after a day', async () => {
    await queries.add({ id: '4', process: 'dead', nameHash: 'w' });
    const old = (seconds: number) =>
      database.db
        .updateTable('running_queries')
        .set({ seen_at: new Date(Date.now() - seconds * 1000) })
        .execute();
    await old(31);
    equal(await queries.cancelElsewhere('b', 'w'), 0);
    await queries.keep(['4']);
    equal(await queries.cancelElsewhere('b', 'w'), 1);
    await queries.add({ id: '5', process: 'a', nameHash: 'v' });
    await old(86_500);
    await queries.keep(['5']);
    const left = await database.db.selectFrom('running_queries').select('id').execute();
    deepEqual(left, [{ id: '5' }]);
  });
});
