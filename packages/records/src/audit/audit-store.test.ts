/* Shows: A-audit-retention */
import { parseLucene } from '@redoubt/query';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';
import type { ChainedEvent } from './audit-rows.ts';

const eventOf = (seq: number, more: Partial<ChainedEvent> = {}): ChainedEvent => ({
  workspace: 'w',
  seq,
  hash: `h${String(seq)}`,
  previous: `h${String(seq - 1)}`,
  id: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`,
  event: `{"n":${String(seq)}}`,
  userId: 'ada',
  datasetId: '',
  timeMs: seq * 1000,
  shown: JSON.stringify({
    type: 'Login',
    n: seq,
    description: `signed in \\ "number" ${String(seq)}`,
    details: { way: 'local' },
  }),
  labels: [],
  ...more,
});

describe('the store of audit events', () => {
  let on: TestStore;
  before(async () => {
    on = await openTestStore();
  });
  after(() => on.close());

  const search = (expression: string, more: object = {}) =>
    on.store.audit.search({
      workspace: 'w',
      labels: [],
      tree: parseLucene(expression),
      limit: 10,
      offset: 0,
      ...more,
    });

  test('audit events are found by their fields and by any word, newest first', async () => {
    const { audit } = on.store;
    await audit.append([eventOf(1), eventOf(2)]);
    await audit.append([
      eventOf(3, {
        userId: 'ben',
        datasetId: 'd',
        shown: '{"type":"WriteRecords","n":3,"details":{"other":"ünïcode"}}',
        labels: [
          ['A&B', 2],
          ["it's", 3],
        ],
      }),
    ]);
    const all = await search('*:*', { labels: ["it's"] });
    assert.deepEqual(
      [all.total, all.events.map(({ shown }) => (JSON.parse(shown) as { n: number }).n)],
      [3, [3, 2, 1]],
    );
    assert.deepEqual(all.events[0]?.labels, [
      ['A&B', 2],
      ["it's", 3],
    ]);
    assert.equal((await search('*:*')).total, 2);
    const counts = async (limit: number, offset: number) => {
      const { total, events } = await search('*:*', { labels: ["it's"], limit, offset });
      return [total, events.length];
    };
    assert.deepEqual(await counts(-1, 0), [3, 3]);
    assert.deepEqual(await counts(-1, 2), [3, 1]);
    assert.deepEqual(await counts(-1, 5), [3, 0]);
    assert.deepEqual(await counts(2, 1), [3, 2]);
    assert.equal((await search('*:*', { userId: 'ben' })).total, 0);
    assert.equal((await search('*:*', { userId: 'ada' })).total, 2);
    assert.equal((await search('number')).total, 2);
    assert.equal((await search('details.way:local AND n:[2 TO 9]')).total, 1);
    assert.equal((await search('ünïcode', { labels: ['A&B'] })).total, 1);
    assert.equal((await search('*:*', { labels: ['A&B'], datasetId: 'd' })).total, 1);
    assert.equal((await search('nothing:here')).total, 0);
    assert.deepEqual((await audit.labels('w')).toSorted(), ['A&B', "it's"]);
    assert.deepEqual(await audit.since('w', 2), [{ id: eventOf(3).id, seq: 3, hash: 'h3' }]);
  });

  const seqs = async (): Promise<number[]> => {
    const found: number[] = [];
    for await (const page of on.store.audit.events('w', 0)) found.push(...page.map(({ seq }) => seq));
    return found;
  };

  test('an audit event comes back as it was kept', async () => {
    for await (const [first, , third] of on.store.audit.events('w', 0)) {
      assert.deepEqual(first, eventOf(1));
      assert.deepEqual(third?.labels, [
        ['A&B', 2],
        ["it's", 3],
      ]);
    }
  });

  test('audit events that are removed leave their places in the chain', async () => {
    const { audit } = on.store;
    const old = await audit.expired('w', 2500, { but: ['d'] });
    assert.deepEqual(
      old.map(({ seq }) => seq),
      [1, 2],
    );
    await audit.remove('w', old.slice(1));
    await audit.remove('w', old.slice(1));
    assert.deepEqual(await seqs(), [1, 3]);
    assert.equal((await audit.removed('w')).length, 1);
    await audit.remove('w', old);
    await audit.forgetUpTo('w', 2);
    assert.deepEqual([await seqs(), await audit.removed('w')], [[3], []]);
    assert.deepEqual(await audit.workspaces(), ['w']);
  });

  test('audit events come in the order of their times, whatever their order in the chain', async () => {
    const times = [30, 10, 20, 20].map((timeMs, at) => eventOf(at + 1, { workspace: 'times', timeMs }));
    await on.store.audit.append(times);
    const { events } = await search('*:*', { workspace: 'times' });
    assert.deepEqual(
      events.map(({ shown }) => (JSON.parse(shown) as { n: number }).n),
      [1, 4, 3, 2],
    );
  });
});
