/* Shows: A-jobs-whole, L18, L29 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseLucene } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { openClusterTestStore, openTestStore, type TestStore } from '../../testing/test-store.ts';
import type { ChangeRequest } from './record-updates.ts';
import type { RecordSelector } from './record-selections.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(async () => t.close());

const labelInfo = {
  fields: ['label'],
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
} as const;

const rowsOf = (label: string, from: number, count: number): { label: string; n: number; text: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    label,
    n: from + index,
    text: `word${(from + index) % 10} of ${label}`,
  }));

/** A dataset with records 0 to 99: those below 60 are labelled A, the others B. */
async function filled(store: TestStore = t): Promise<string> {
  const id = await store.dataset();
  await store.write(id, [...rowsOf('A', 0, 60), ...rowsOf('B', 60, 40)], { labelInfo });
  return id;
}

const request = (
  datasetId: string,
  which: RecordSelector,
  held: readonly string[],
  more: Partial<ChangeRequest> = {},
): ChangeRequest => ({
  datasetId,
  changeId: randomUUID(),
  which,
  visible: async () => t.visible(datasetId, ...held),
  ...more,
});

const numbers = async (id: string, store: TestStore = t): Promise<number[]> =>
  (await store.records(id, 'A', 'B')).map(({ n }) => Number(n)).toSorted((a, b) => a - b);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);
const idOf = async (id: string, n: number): Promise<string> =>
  String((await t.records(id, 'A', 'B')).find((record) => record['n'] === n)?.['_koverse_record_id']);
const tablesLeft = async (id: string): Promise<string> =>
  t.engine.text(
    `SELECT count() FROM system.tables WHERE database = '${t.database}' AND startsWith(name, 'ds_${id.replaceAll('-', '_')}__')`,
    { lane: 'short' },
  );

test('a delete removes the matching records visible to the actor, and counts, fields and searches reflect it at once', async () => {
  const id = await filled();
  await t.write(id, [{ label: 'A', n: 200, only: 'here' }], { labelInfo });
  const visible = await t.visible(id, 'A', 'B');
  assert.equal(await t.store.countVisible(id, visible), 101);
  const chosen: [string, number][][] = [];
  const change = request(id, { tree: parseLucene('n:[50 TO 300]') }, ['A'], {
    chosen: async (labels) => void chosen.push([...labels]),
  });
  await t.store.deleteRecords(change);
  await t.store.forgetChange(id, change.changeId);
  assert.equal(
    chosen.flat().reduce((sum, [, count]) => sum + count, 0),
    11,
  );
  assert.deepEqual(
    chosen.flat().map(([label]) => label),
    ['A'],
  );
  assert.deepEqual(await numbers(id), [...range(0, 50), ...range(60, 100)]);
  assert.equal(await t.store.countVisible(id, visible), 90);
  assert.deepEqual(Object.keys(await t.store.schema(id, visible, {})), ['label', 'n', 'text']);
  assert.equal((await t.search(id, 'word5', 'A', 'B')).total, 9);
  assert.equal(await tablesLeft(id), '0\n');
});

test('a delete by ids takes no hidden record, and ids of none are passed over', async () => {
  const id = await filled();
  const ids = [await idOf(id, 3), await idOf(id, 70), randomUUID(), "' OR 1 --", 'a\tb\n'];
  await t.store.deleteRecords(request(id, { recordIds: ids }, ['A']));
  assert.deepEqual(await numbers(id), [...range(0, 3), ...range(4, 100)]);
});

test('deleting all records deletes exactly those visible to the actor', async () => {
  const id = await filled();
  await t.store.deleteRecords(request(id, { all: true }, ['B']));
  assert.deepEqual(await numbers(id), range(0, 60));
});

const page = (document_id: string, n: number, label: string, text: string): unknown => ({
  document_id,
  n,
  label,
  text,
});

test('documents go with all their visible records, whichever of them matched', async () => {
  const id = await t.dataset();
  await t.write(
    id,
    [
      page('d1', 1, 'A', 'needle'),
      page('d1', 2, 'A', 'hay'),
      page('d1', 3, 'B', 'hay'),
      page('d2', 4, 'A', 'hay'),
      page('d2', 5, 'B', 'needle'),
      { n: 6, label: 'A', text: 'needle' },
    ],
    { labelInfo },
  );
  await t.store.deleteRecords(request(id, { documentsOf: parseLucene('text:needle') }, ['A']));
  assert.deepEqual(await numbers(id), [3, 4, 5, 6]);
});

test('a relabelled record is seen under its new label, and no hidden one is touched', async () => {
  const id = await filled();
  const change = { ...request(id, { tree: parseLucene('n:[50 TO 69]') }, ['A']), label: 'C' };
  await t.store.relabelRecords(change);
  assert.deepEqual(
    (await t.records(id, 'C')).map(({ n }) => Number(n)).toSorted((a, b) => a - b),
    range(50, 60),
  );
  assert.deepEqual(await numbers(id), [...range(0, 50), ...range(60, 100)]);
  assert.equal(await t.store.countVisible(id, await t.visible(id, 'C')), 10);
});

test('clearing removes all records, hidden ones included, and the dataset stays usable', async () => {
  const id = await filled();
  await t.store.clearDataset({ datasetId: id, changeId: 'c1', mayStill: () => Promise.resolve() });
  assert.deepEqual(await numbers(id), []);
  assert.equal(await t.store.countVisible(id, await t.visible(id, 'A', 'B')), 0);
  await t.write(id, rowsOf('A', 500, 3), { labelInfo });
  // The same clear runs again, as after a crash. It must not remove records that were written since.
  await t.store.clearDataset({ datasetId: id, changeId: 'c1', mayStill: () => Promise.resolve() });
  assert.deepEqual(await numbers(id), [500, 501, 502]);
  assert.equal((await t.search(id, 'word1', 'A')).total, 1);
  await t.store.clearDataset({ datasetId: id, changeId: 'c2', mayStill: () => Promise.resolve() });
  assert.deepEqual(await numbers(id), []);
  assert.equal(await tablesLeft(id), '0\n');
});

test('rights are checked right before a change, and without them nothing is deleted', async () => {
  const id = await filled();
  let count = 0;
  const lost = request(id, { all: true }, []);
  const change = {
    ...lost,
    visible: async () => {
      count += 1;
      if (count > 1) throw new Error('taken away');
      return t.visible(id, 'A', 'B');
    },
  };
  await assert.rejects(t.store.deleteRecords(change), /taken away/);
  const restricted = {
    ...lost,
    changeId: randomUUID(),
    visible: async () => t.visible(id, ...(count++ < 3 ? ['A', 'B'] : ['B'])),
  };
  await t.store.deleteRecords(restricted);
  assert.deepEqual(await numbers(id), range(0, 60));
  const refused = t.store.clearDataset({
    datasetId: id,
    changeId: 'x',
    mayStill: () => Promise.reject(new Error('no')),
  });
  await assert.rejects(refused, /no/);
  assert.deepEqual(await numbers(id), range(0, 60));
});

test('a change that is made succeeds even if outdated copies for summaries cannot be removed', async () => {
  const id = await filled();
  let isArmed = false;
  let attempts = 0;
  const { store } = await t.reopen({
    ...t.engine,
    text: async (sql, options) => {
      if (!isArmed || !sql.startsWith('EXISTS TABLE')) return t.engine.text(sql, options);
      attempts++;
      throw new Error('The engine is not there.');
    },
  });
  isArmed = true;
  await store.deleteRecords(request(id, { all: true }, ['A']));
  assert.equal(attempts, 1);
  assert.deepEqual(await numbers(id), range(60, 100));
});

class Killed extends Error {}

/** Wraps an engine so that, once armed, every change from the n-th on fails, as if the process had been killed. */
function killedAt(engine: Engine, point: number): { engine: Engine; arm: () => void; steps: () => number } {
  let steps = Number.NEGATIVE_INFINITY;
  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    steps += 1;
    if (steps >= point) throw new Killed();
    return work();
  }
  return {
    engine: {
      ...engine,
      command: async (sql, options) => step(async () => engine.command(sql, options)),
      insert: async (what) => step(async () => engine.insert(what)),
    },
    arm: () => (steps = 0),
    steps: () => steps,
  };
}

/** Changes to a dataset, and the numbers of the records that are visible afterwards. */
const kinds: Record<
  string,
  {
    run: (store: TestStore['store'], change: ChangeRequest) => Promise<void>;
    which: RecordSelector;
    after: number[];
  }
> = {
  'delete by query': {
    run: async (store, change) => store.deleteRecords(change),
    which: { tree: parseLucene('n:[0 TO 49]') },
    after: range(50, 100),
  },
  relabelling: {
    run: async (store, change) => store.relabelRecords({ ...change, label: 'C' }),
    which: { tree: parseLucene('n:[0 TO 49]') },
    after: range(50, 100),
  },
  clearing: {
    run: async (store, { datasetId, changeId }) =>
      store.clearDataset({ datasetId, changeId, mayStill: () => Promise.resolve() }),
    which: { all: true },
    after: [],
  },
};

describe('changes that were killed anywhere', () => {
  for (const [name, { run, which, after: expected }] of Object.entries(kinds)) {
    test(`${name}: after a kill anywhere it happened completely or not at all, and resuming keeps records that arrived meanwhile`, async () => {
      for (let point = 1, isDone = false; !isDone; point++) {
        const id = await filled();
        const change = request(id, which, ['A', 'B']);
        const { engine, arm, steps } = killedAt(t.engine, point);
        const dying = await t.reopen(engine);
        arm();
        const end = await run(dying.store, change).then(
          () => 'ended',
          (error: unknown) => (error instanceof Killed ? 'killed' : Promise.reject(error as Error)),
        );
        if (steps() < point) isDone = true;
        const { store, ...again } = await t.reopen();
        const between = await numbers(id, { ...again, store });
        assert.ok(
          [100, expected.length].includes(between.length),
          `${name} in part at ${point}: ${between.length}`,
        );
        await again.write(id, rowsOf('A', 10, 2), { labelInfo });
        // A resumed change uses its complete selection. Without one it selects again, including the two new records.
        const tables = await t.engine.text(
          `SELECT name FROM system.tables WHERE database = '${t.database}' AND startsWith(name, 'ds_${id.replaceAll('-', '_')}__chosen_')`,
          { lane: 'short' },
        );
        const cleared = name === 'clearing' && between.length === 0;
        const stay = tables.trim() !== '' || cleared || end === 'ended' ? [10, 11] : [];
        await run(store, change);
        assert.deepEqual(
          await numbers(id, { ...again, store }),
          [...stay, ...expected].toSorted((a, b) => a - b),
          `${name} at ${point}`,
        );
        assert.equal(
          await store.countVisible(id, await again.visible(id, 'A', 'B')),
          stay.length + expected.length,
        );
        await store.forgetChange(id, change.changeId);
        await store.dropDataset(id);
        await t.store.dropDataset(id);
        assert.equal(await tablesLeft(id), '0\n');
      }
    });
  }
});

test('readers see all of a change or nothing of it while others write and replace, and counts are right afterwards', async () => {
  const id = await filled();
  const [aId] = [await idOf(id, 0)];
  const state = { isOver: false };
  const seen = new Set<string>();
  const read = async (): Promise<void> => {
    while (!state.isOver) {
      const rows = (await t.records(id, 'A', 'B', 'C')).filter(({ n }) => Number(n) < 100);
      const labels = rows.map((row) => String(row['_koverse_security_label']));
      seen.add(
        `${labels.filter((each) => each === 'A').length}/${labels.filter((each) => each === 'B').length}/${labels.filter((each) => each === 'C').length}`,
      );
    }
  };
  const write = async (): Promise<void> => {
    for (let n = 1000; !state.isOver; n++) {
      await t.write(id, [{ label: 'A', n }], { labelInfo });
      await t.write(id, [{ _koverse_record_id: aId, label: 'A', n: 0, text: `again ${n}` }], { as: ['A'] });
    }
  };
  const work = [read(), read(), write()];
  await t.store.relabelRecords({ ...request(id, { tree: parseLucene('n:[20 TO 59]') }, ['A']), label: 'C' });
  await t.store.deleteRecords(request(id, { tree: parseLucene('n:[60 TO 99]') }, ['B']));
  await t.store.deleteRecords({ ...request(id, { tree: parseLucene('n:[20 TO 59]') }, ['C']) });
  state.isOver = true;
  await Promise.all(work);
  const allowed = new Set(['60/40/0', '20/40/40', '20/0/40', '20/0/0']);
  for (const each of seen) assert.ok(allowed.has(each), `seen in part: ${each}`);
  const rows = await t.records(id, 'A', 'B', 'C');
  assert.equal(await t.store.countVisible(id, await t.visible(id, 'A', 'B', 'C')), rows.length);
  assert.equal(rows.filter(({ n }) => Number(n) < 100).length, 20);
});

test('a change that is stopped is whole or absent, and says so', async () => {
  const rounds = 12;
  const outcomes = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const id = await filled();
    const stop = new AbortController();
    const change = request(id, { tree: parseLucene('text:/w.*d[0-9]/') }, ['A', 'B'], {
      signal: stop.signal,
    });
    const ended = t.store.deleteRecords(change).then(
      () => 'done',
      () => 'stopped',
    );
    if (round > 0) await delay(round * 4);
    stop.abort();
    const outcome = await ended;
    outcomes.add(outcome);
    assert.equal((await numbers(id)).length, outcome === 'done' ? 0 : 100, outcome);
    assert.equal(await t.store.countVisible(id, await t.visible(id, 'A', 'B')), outcome === 'done' ? 0 : 100);
    await t.store.dropDataset(id);
  }
  assert.ok(outcomes.has('stopped'));
});

test('on the tables of a cluster records are deleted, relabelled and cleared', async () => {
  const cluster = await openClusterTestStore();
  const id = await filled(cluster);
  const of = (which: RecordSelector): ChangeRequest => ({
    datasetId: id,
    changeId: randomUUID(),
    which,
    visible: async () => cluster.visible(id, 'A', 'B'),
  });
  await cluster.store.deleteRecords(of({ tree: parseLucene('n:[0 TO 49]') }));
  assert.deepEqual(await numbers(id, cluster), range(50, 100));
  await cluster.store.relabelRecords({ ...of({ tree: parseLucene('n:[50 TO 59]') }), label: 'C' });
  assert.deepEqual(await numbers(id, cluster), range(60, 100));
  assert.equal((await cluster.records(id, 'C')).length, 10);
  await cluster.store.clearDataset({ datasetId: id, changeId: 'c', mayStill: () => Promise.resolve() });
  assert.deepEqual(await numbers(id, cluster), []);
  await cluster.write(id, rowsOf('A', 0, 2), { labelInfo });
  assert.deepEqual(await numbers(id, cluster), [0, 1]);
  await cluster.store.dropDataset(id);
  await cluster.close();
});

test('words are found in relabelled and in other records, with and without the word index', async () => {
  const id = await t.dataset();
  // Two parts: a large insert writes the word index at once, a small one leaves that to a merge.
  await t.write(id, rowsOf('A', 0, 20_000), { labelInfo });
  await t.write(id, rowsOf('A', 20_000, 100), { labelInfo });
  const relabelled = { tree: parseLucene('n:[0 TO 999]') };
  await t.store.relabelRecords({ ...request(id, relabelled, ['A']), label: 'B' });
  assert.equal((await t.search(id, 'word5', 'A', 'B')).total, 2010);
  assert.equal((await t.search(id, 'word5', 'A')).total, 1910);
  assert.equal((await t.search(id, 'word5', 'B')).total, 100);
});
