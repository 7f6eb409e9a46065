/* Shows: D-batch-alone, A-group-commit */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { RedoubtError } from '@redoubt/errors';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';
import { createGroupCommit } from './group-commit.ts';
import { tableName } from './record-table.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(async () => {
  await t.close();
});

const row = (id: string, label: string): Buffer => Buffer.from(`${label}\t${id}\n`);

/** A group commit on the real engine. `inserts` collects the rows of each insert as text. */
function realCommit(maxBytes = 1_000_000) {
  const inserts: string[] = [];
  const commit = createGroupCommit({
    lanes: 1,
    bytesForFurtherLane: 1,
    maxBytes,
    patienceMs: 0,
    insert: async (datasetId, data) => {
      inserts.push(data.toString());
      await t.engine.insert({
        table: `${t.database}.${tableName(datasetId)}`,
        columns: ['label_id', 'record_id'],
        data,
      });
    },
  });
  return { inserts, commit };
}

const idsOf = async (datasetId: string): Promise<string[]> =>
  (
    await t.engine.text(`SELECT record_id FROM ${t.database}.${tableName(datasetId)} ORDER BY record_id`, {
      lane: 'short',
    })
  )
    .trim()
    .split('\n');

test('batches that come while an insert runs go together with the next', async () => {
  const id = await t.dataset();
  const { inserts, commit } = realCommit();
  const stored: string[] = [];
  await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (each) => commit.add(id, row(each, '1'), () => stored.push(each))),
  );
  assert.deepEqual(
    inserts.map((text) => text.split('\n').length - 1),
    [4],
  );
  const first = commit.add(id, row('e', '1'), () => stored.push('e'));
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([
    first,
    ...['f', 'g'].map(async (each) => commit.add(id, row(each, '1'), () => stored.push(each))),
  ]);
  assert.deepEqual(
    inserts.slice(1).map((text) => text.split('\n').length - 1),
    [1, 2],
  );
  assert.deepEqual(await idsOf(id), ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  assert.deepEqual(stored, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

test('a batch that cannot be stored fails alone, and the others of its insert are stored once', async () => {
  const id = await t.dataset();
  const { inserts, commit } = realCommit();
  const results = await Promise.allSettled([
    commit.add(id, row('good1', '1'), () => undefined),
    commit.add(id, row('bad', 'no number'), () => assert.fail('the bad batch was stored')),
    commit.add(id, row('good2', '2'), () => undefined),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(inserts.length, 4);
  assert.deepEqual(await idsOf(id), ['good1', 'good2']);
});

test('an insert holds batches up to its limit, or one batch of any size', async () => {
  const id = await t.dataset();
  const { inserts, commit } = realCommit(20);
  const batches = ['aaaaaa', 'bbbbbb', 'cccccc', `d${'d'.repeat(50)}`, 'e'];
  await Promise.all(batches.map(async (each) => commit.add(id, row(each, '1'), () => undefined)));
  assert.deepEqual(
    inserts.map((text) => text.trim().split('\n').length),
    [2, 1, 1, 1],
  );
  assert.deepEqual(await idsOf(id), batches);
});

test('a busy dataset does not keep another from its turn', async () => {
  const order: string[] = [];
  const commit = createGroupCommit({
    lanes: 1,
    bytesForFurtherLane: 1,
    maxBytes: 1,
    insert: async (datasetId) => {
      order.push(datasetId);
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  const add = async (datasetId: string): Promise<void> =>
    commit.add(datasetId, Buffer.from('xx'), () => undefined);
  await Promise.all(['busy', 'busy', 'busy', 'busy', 'busy', 'busy', 'rare'].map(add));
  assert.ok(order.indexOf('rare') <= 2, order.join());
});

test('while work holds a dataset alone, no insert runs in it', async () => {
  let running = 0;
  const commit = createGroupCommit({
    lanes: 2,
    bytesForFurtherLane: 1,
    maxBytes: 1,
    insert: async () => {
      running++;
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    },
  });
  const work: Promise<void>[] = [];
  for (let round = 0; round < 30; round++) {
    work.push(commit.add('d', Buffer.from('xx'), () => undefined));
    if (round % 5 === 0) {
      work.push(
        commit.alone('d', async () => {
          for (let turn = 0; turn < 3; turn++) {
            assert.equal(running, 0);
            await new Promise((resolve) => setImmediate(resolve));
          }
        }),
      );
    }
  }
  await Promise.all(work);
});

test('a few records wait for the running insert, and many records start a second one', async () => {
  let running = 0;
  let most = 0;
  const sizes: number[] = [];
  const commit = createGroupCommit({
    lanes: 2,
    bytesForFurtherLane: 10,
    maxBytes: 1000,
    patienceMs: 0,
    insert: async (_datasetId, data) => {
      sizes.push(data.length);
      most = Math.max(most, ++running);
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      running--;
    },
  });
  const addAll = async (texts: readonly string[]): Promise<void> => {
    const first = commit.add('d', Buffer.from('x'), () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([
      first,
      ...texts.map(async (text) => commit.add('d', Buffer.from(text), () => undefined)),
    ]);
  };
  await addAll(['aa', 'bb', 'cc']);
  assert.deepEqual(sizes, [1, 6]);
  assert.equal(most, 1);
  await addAll(['a'.repeat(20)]);
  assert.equal(most, 2);
});

const turn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A group commit for batches of one byte. `sizes` collects the number of batches in each insert. */
function sizedCommit(lanes: number, patienceMs: number, insert: () => Promise<void>) {
  const sizes: number[] = [];
  const commit = createGroupCommit({
    lanes,
    bytesForFurtherLane: 1000,
    maxBytes: 1000,
    patienceMs,
    insert: async (_datasetId, data) => {
      sizes.push(data.length);
      await insert();
    },
  });
  return { sizes, add: async () => commit.add('d', Buffer.from('x'), () => undefined) };
}

/**
 * Returns the sizes of inserts if each writer writes again a few turns of the event loop after its response, some
 * later.
 */
async function insertsOf(writers: number, patienceMs: number): Promise<number[]> {
  const { sizes, add } = sizedCommit(2, patienceMs, turn);
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let round = 0; round < 20; round++) {
        await add();
        for (let turns = 0; turns <= writer; turns++) await turn();
      }
    }),
  );
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    writers * 20,
  );
  return sizes;
}

test('an insert waits for writers that wrote recently, so few inserts hold a single record', async () => {
  const patient = await insertsOf(8, 20);
  const hasty = await insertsOf(8, 0);
  assert.ok(patient.filter((size) => size > 2).length > patient.length / 2, patient.join());
  assert.ok(patient.length < hasty.length, `${patient.join()} against ${hasty.join()}`);
});

test('after a slow insert, the wait for the next batch is as long as that insert', async () => {
  const { sizes, add } = sizedCommit(1, 40, () => setTimeout(200));
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 3; round++) {
        await add();
        await setTimeout(80);
      }
    }),
  );
  assert.deepEqual(sizes, [4, 4, 4]);
});

test('a lone writer never waits', async () => {
  assert.deepEqual(await insertsOf(1, 1e9), Array<number>(20).fill(1));
});

test('an insert waits once for writers that stopped, and only up to the timeout', async () => {
  const { sizes, add } = sizedCommit(1, 5, () => Promise.resolve());
  await Promise.all([add(), add(), add(), add(), add(), add()]);
  await add();
  await add();
  assert.deepEqual(sizes, [6, 1, 1]);
});

test('rows that an engine may have stored before it went away are not sent again', async () => {
  const inserts: string[] = [];
  const first = Promise.withResolvers<void>();
  const commit = createGroupCommit({
    lanes: 1,
    bytesForFurtherLane: 1,
    maxBytes: 1_000_000,
    insert: async (_datasetId, data) => {
      inserts.push(data.toString());
      if (inserts.length === 1) return first.promise;
      throw new RedoubtError('AccumuloError', 'The record store is not available.');
    },
  });
  const add = async (text: string): Promise<void> => commit.add('d', Buffer.from(text), () => undefined);
  const stored = add('a');
  await new Promise((resolve) => setImmediate(resolve));
  const lost = [add('b'), add('c')].map(async (each) => assert.rejects(each, { name: 'AccumuloError' }));
  first.resolve();
  await Promise.all([stored, ...lost]);
  assert.deepEqual(inserts, ['a', 'bc']);
});
