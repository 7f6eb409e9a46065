/* Shows: L2, L15, L33 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parseLucene } from '@redoubt/query';
import * as fc from 'fast-check';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';
import { copiedColumns, createCopiesTable, tableName } from './record-table.ts';
import { defaultStoreLimits } from './store-limits.ts';
import { createSummaryCopies } from './summary-copies.ts';

const limits = { ...defaultStoreLimits, summaryCopiesFrom: 5 };

let t: TestStore;
before(async () => {
  t = await openTestStore(limits);
});
after(async () => t.close());

const labelInfo = {
  fields: ['label'],
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
} as const;
const labels = ['', 'A', 'B', 'A&B'];
const people = [[], ['A'], ['A', 'B']];
const expressions = ['*:*', 'w1', 'word:w2 OR n:3', 'n:[2 TO 5]', '"w1 x" AND NOT n:1', 'nested.deep:w0'];

let numbered = 0;
const recordsOf = (count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, () => {
    const n = numbered++ % 8;
    const label = labels[(numbered * 7) % labels.length];
    return {
      n,
      word: `w${String(n % 3)} x`,
      label,
      ...(n > 4 ? { nested: { deep: `w${String(n % 2)}` } } : {}),
    };
  });

const datasets = async (count: number, of = 6): Promise<string[]> => {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const id = await t.dataset();
    // The same path then has different ids in different datasets.
    const [first = {}, ...rest] = recordsOf(of);
    await t.write(id, [{ [`own${String(made % 3)}`]: 1, ...first }, ...rest], { labelInfo });
    ids.push(id);
  }
  return ids;
};

interface Shown {
  datasetId: string;
  total: number;
  records: unknown[];
}

const limit = 3;

async function summary(
  of: TestStore,
  ids: readonly string[],
  expression: string,
  held: readonly string[],
  most = limit,
): Promise<Shown[]> {
  const sources = await Promise.all(
    ids.map(async (datasetId) => ({
      datasetId,
      visible: await of.visible(datasetId, ...held),
      pathVersion: 0,
    })),
  );
  const tree = parseLucene(expression);
  const found = await of.store.summariseSearch({ tree, sources, limit: most, person: 'p' });
  return found.map(({ records, ...rest }): Shown => ({
    ...rest,
    records: JSON.parse(`[${Buffer.from(records).toString()}]`) as unknown[],
  }));
}

/** Searches the datasets one by one, without a summary. */
async function oneByOne(
  ids: readonly string[],
  expression: string,
  held: readonly string[],
): Promise<Shown[]> {
  const all: Shown[] = [];
  for (const datasetId of ids) {
    const { rows, total } = await t.store.search({
      datasetId,
      visible: await t.visible(datasetId, ...held),
      tree: parseLucene(expression),
      limit,
      offset: 0,
    });
    const pieces: Uint8Array[] = [];
    for await (const piece of rows) pieces.push(piece);
    const records = JSON.parse(`[${Buffer.concat(pieces).toString()}]`) as unknown[];
    const counted = await total();
    if (counted > 0) all.push({ datasetId, total: counted, records });
  }
  return all;
}

/** Searches without copies: a summary of so few datasets reads their tables. */
async function inTables(
  ids: readonly string[],
  expression: string,
  held: readonly string[],
): Promise<Shown[]> {
  const all: Shown[] = [];
  for (let from = 0; from < ids.length; from += 4)
    all.push(...(await summary(t, ids.slice(from, from + 4), expression, held)));
  return all;
}

/** Has the store copy these datasets. A dataset is copied if it has not changed between two summaries. */
async function copyAll(of: TestStore, ids: readonly string[]): Promise<void> {
  for (let time = 0; time < 2; time++) await summary(of, ids, '*:*', ['A', 'B']);
  await of.store.summariesReady();
}

const copiesOf = async (ids: readonly string[]) => {
  const copies = createSummaryCopies({ engine: t.engine, database: t.database, limits });
  for (let time = 0; time < 2; time++) await copies.find(ids);
  await copies.settled();
  return copies;
};

/** Merges all parts of the table into one, so that no later merge invalidates a copy during a test. */
const merge = async (id: string): Promise<void> =>
  t.engine.command(`OPTIMIZE TABLE ${t.database}.${tableName(id)} FINAL`, { lane: 'short' });

const change = (datasetId: string, held: readonly string[], expression: string) => ({
  datasetId,
  changeId: randomUUID(),
  which: { tree: parseLucene(expression) },
  visible: async () => t.visible(datasetId, ...held),
});

/** Every kind of change that makes the copy of a dataset outdated. */
const changes: Record<string, (id: string) => Promise<unknown>> = {
  write: async (id) => t.write(id, recordsOf(2), { labelInfo }),
  replace: async (id) => {
    const [first] = await t.records(id, 'A', 'B');
    if (first === undefined) return;
    const again = { n: 3, word: 'w1 again', _koverse_record_id: first['_koverse_record_id'] };
    await t.write(id, [again], { as: ['A', 'B'] });
  },
  delete: async (id) => t.store.deleteRecords(change(id, ['A'], 'w0 OR w1')),
  relabel: async (id) => t.store.relabelRecords({ ...change(id, ['A', 'B'], 'n:[0 TO 4]'), label: 'A&B' }),
  clear: async (id) =>
    t.store.clearDataset({ datasetId: id, changeId: randomUUID(), mayStill: () => Promise.resolve() }),
};

/** Waits until the engine has completed all removals, then counts the rows on disk in the copies of each dataset. */
async function rowsOnDisk(ids: readonly string[]): Promise<number[]> {
  const query = async (sql: string): Promise<string> => t.engine.text(sql, { lane: 'short' });
  const unfinished = `SELECT count() FROM system.mutations WHERE database = '${t.database}' AND table = 'summary_copies' AND NOT is_done`;
  while ((await query(unfinished)).trim() !== '0') await setTimeout(50);
  const counts = await query(`SELECT dataset, count() FROM ${t.database}.summary_copies GROUP BY dataset`);
  const byDataset = new Map(counts.split('\n').map((line) => line.split('\t') as [string, string]));
  return ids.map((id) => Number(byDataset.get(id) ?? 0));
}

describe('what outdated copies still hold of records', () => {
  test('deleted, cleared, relabelled and replaced records leave the copies of their dataset, and so does a dropped dataset', async () => {
    const taking = {
      ...changes,
      drop: async (id: string) => t.store.dropDataset(id),
      'delete everything': async (id: string) => t.store.deleteRecords(change(id, ['A', 'B'], '*:*')),
    };
    for (const [kind, make] of Object.entries(taking)) {
      if (kind === 'write') continue;
      const ids = await datasets(5, 8);
      for (const id of ids) await merge(id);
      await (await copiesOf(ids)).close();
      assert.deepEqual(await rowsOnDisk(ids), [8, 8, 8, 8, 8]);
      await make(ids[0] ?? '');
      assert.deepEqual(await rowsOnDisk(ids), [0, 8, 8, 8, 8], kind);
    }
  });

  test('records that went while they were copied are taken out of the copy when it is made', async () => {
    const ids = await datasets(5);
    const [changed = ''] = ids;
    for (const id of ids) await merge(id);
    let isDeleted = false;
    const engine: typeof t.engine = {
      ...t.engine,
      async command(sql, options) {
        await t.engine.command(sql, options);
        if (!sql.startsWith('INSERT INTO') || isDeleted) return;
        isDeleted = true;
        // Deletes records like another process that looked for copies right before this copy existed.
        await t.engine.command(
          `DELETE FROM ${t.database}.${tableName(changed)} WHERE record_id != ''`,
          options,
        );
      },
    };
    const copies = createSummaryCopies({ engine, database: t.database, limits });
    for (let time = 0; time < 2; time++) await copies.find(ids);
    await copies.settled();
    assert.equal(isDeleted, true);
    assert.deepEqual(await rowsOnDisk(ids), [0, 6, 6, 6, 6]);
    await copies.close();
  });

  test('a change that is done again, and one of another dataset, take no copy away that counts', async () => {
    const ids = await datasets(6);
    for (const id of ids) await merge(id);
    const [cleared = '', ...others] = ids;
    const clear = { datasetId: cleared, changeId: randomUUID(), mayStill: () => Promise.resolve() };
    await t.store.clearDataset(clear);
    await t.write(cleared, [{ n: 1 }]);
    await merge(cleared);
    await copyAll(t, ids);
    const before = await rowsOnDisk(ids);
    assert.deepEqual(before, [1, 6, 6, 6, 6, 6]);
    await t.store.clearDataset(clear);
    for (const id of others) await t.store.deleteRecords(change(id, ['A', 'B'], 'n:99'));
    assert.deepEqual(await rowsOnDisk(ids), before);
    assert.deepEqual(await summary(t, ids, '*:*', ['A', 'B']), await inTables(ids, '*:*', ['A', 'B']));
  });

  test('a start removes the copies of a killed process', async () => {
    const ids = await datasets(5);
    for (const id of ids) await merge(id);
    await (await copiesOf(ids)).close();
    const [deleted = ''] = ids;
    await t.engine.command(`TRUNCATE TABLE ${t.database}.${tableName(deleted)}`, { lane: 'short' });
    assert.deepEqual(await rowsOnDisk(ids), [6, 6, 6, 6, 6]);
    const next = await t.reopen();
    assert.deepEqual(await rowsOnDisk(ids), [0, 6, 6, 6, 6]);
    await next.store.close();
  });
});

describe('copies of small datasets for summaries', () => {
  test('after any changes, a summary over many datasets equals summaries over few of them, with and without copies', async () => {
    const ids = await datasets(7);
    const step = fc.record({
      kind: fc.constantFrom(...Object.keys(changes)),
      dataset: fc.nat({ max: ids.length - 1 }),
      ready: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), fc.nat(), async (steps, chance) => {
        for (const { kind, dataset, ready } of steps) {
          if (ready) await copyAll(t, ids);
          await changes[kind]?.(ids[dataset] ?? '');
        }
        const held = people[chance % people.length] ?? [];
        const expression = expressions[chance % expressions.length] ?? '*:*';
        const expected = await inTables(ids, expression, held);
        for (let time = 0; time < 3; time++) {
          assert.deepEqual(await summary(t, ids, expression, held), expected, `${expression} ${held.join()}`);
          await t.store.summariesReady();
        }
      }),
      { numRuns: 6 },
    );
  });

  test('a summary from copies equals single searches in the tables', async () => {
    const ids = await datasets(6, 9);
    await copyAll(t, ids);
    const copies = await copiesOf(ids);
    assert.deepEqual([...(await copies.find(ids)).keys()].toSorted(), ids.toSorted());
    for (const held of people) {
      for (const expression of expressions) {
        const search = held.length === 1 ? oneByOne : inTables;
        assert.deepEqual(
          await summary(t, ids, expression, held),
          await search(ids, expression, held),
          `${expression} for ${held.join('+')}`,
        );
      }
    }
  });

  test('a copy is not read for a column that its reader does not see', async () => {
    const ids = await datasets(6, 9);
    for (const id of ids) t.labelColumns(id, { word: 'B', 'nested.deep': 'A' });
    await copyAll(t, ids);
    for (const held of people.slice(0, 2)) {
      for (const expression of expressions) {
        const found = await summary(t, ids, expression, held);
        assert.deepEqual(found, await inTables(ids, expression, held), `${expression} for ${held.join('+')}`);
        const shown = JSON.stringify(found);
        assert.equal(shown.includes('"word"'), false, shown);
      }
    }
    assert.deepEqual(await summary(t, ids, 'word:w1', ['A']), []);
  });

  test('copies with hidden records and columns give the same results as copies without them', async () => {
    const visible = Array.from({ length: 9 }, (_, n) => ({
      n,
      word: `w${String(n % 3)}`,
      label: n % 2 ? 'A' : '',
    }));
    const worlds: string[][] = [[], []];
    for (const [world, ids] of worlds.entries()) {
      for (let made = 0; made < 6; made++) {
        const id = await t.dataset();
        const hidden = visible.map(({ n }) => ({
          n: n % 2 ? n : `w${String(n)}`,
          word: 'w1 secret',
          secret: 'w2',
          label: 'B',
        }));
        if (world === 1) await t.write(id, hidden, { labelInfo });
        await t.write(id, world === 1 ? visible.map((record) => ({ ...record, cover: 'w1 w2' })) : visible, {
          labelInfo,
        });
        if (world === 1) t.labelColumns(id, { cover: 'B' });
        await merge(id);
        ids.push(id);
      }
      await copyAll(t, ids);
      const copies = await copiesOf(ids);
      assert.equal((await copies.find(ids)).size, ids.length);
      await copies.close();
    }
    for (const expression of [...expressions, 'secret:*', 'NOT secret:*', 'cover:w1', 'n:w1', '-w1']) {
      const [without, beside] = await Promise.all(
        worlds.map(async (ids) => {
          const found = await summary(t, ids, expression, ['A'], 100);
          return ids.map((id) => {
            const one = found.find(({ datasetId }) => datasetId === id);
            return [one?.total, one?.records.map((record) => JSON.stringify(record)).toSorted()];
          });
        }),
      );
      assert.deepEqual(beside, without, expression);
    }
  });

  test('after a change, the copy of the dataset is no longer read, and other copies still are', async () => {
    const ids = await datasets(5);
    const [changed = '', ...others] = ids;
    // Records that each of the changes affects.
    const ends = ['w0', 'w1', 'w2', 'w2'].map((word) => ({ n: 3, word, label: '' }));
    await t.write(changed, ends, { labelInfo });
    await merge(changed);
    for (const [kind, make] of Object.entries(changes)) {
      const copies = await copiesOf(ids);
      assert.equal((await copies.find(ids)).has(changed), true, kind);
      await make(changed);
      assert.deepEqual([...(await copies.find(ids)).keys()].toSorted(), others.toSorted(), kind);
      await copies.close();
      await merge(changed);
    }
  });

  test('a dataset that changes while it is copied has no copy', async () => {
    const ids = await datasets(5);
    const [changed = ''] = ids;
    let change: Promise<void> | undefined;
    const engine: typeof t.engine = {
      ...t.engine,
      async command(sql, options) {
        await t.engine.command(sql, options);
        if (sql.startsWith('INSERT INTO')) await (change = t.write(changed, [{ n: 1 }]));
      },
    };
    const copies = createSummaryCopies({ engine, database: t.database, limits });
    for (let time = 0; time < 2; time++) await copies.find(ids);
    await copies.settled();
    assert.notEqual(change, undefined);
    assert.equal((await copies.find(ids)).has(changed), false);
    await copies.close();
  });

  test("processes that share an engine notice each other's changes, and a new process reads no copies of an earlier one", async () => {
    const ids = await datasets(6);
    const other = await t.reopen();
    await copyAll(t, ids);
    await copyAll(other, ids);
    const [first = '', second = ''] = ids;
    await t.write(first, [{ n: 1, word: 'w1 x' }]);
    await other.store.deleteRecords({ ...change(second, ['A', 'B'], '*:*') });
    const expected = await inTables(ids, '*:*', ['A', 'B']);
    for (const store of [t, other]) assert.deepEqual(await summary(store, ids, '*:*', ['A', 'B']), expected);
    await other.store.close();
    const next = createSummaryCopies({ engine: t.engine, database: t.database, limits });
    assert.equal((await next.find(ids)).size, 0);
    await next.close();
    const reopened = await t.reopen();
    assert.deepEqual(await summary(reopened, ids, '*:*', ['A', 'B']), expected);
    await copyAll(reopened, ids);
    assert.deepEqual(await summary(reopened, ids, '*:*', ['A', 'B']), expected);
    await reopened.store.close();
  });

  test('few datasets, and large ones, have no copy', async () => {
    const ids = await datasets(5);
    assert.equal((await (await copiesOf(ids.slice(0, 4))).find(ids)).size, 0);
    const [large = ''] = ids;
    await t.write(
      large,
      Array.from({ length: 10_001 }, (_, n) => ({ n })),
    );
    assert.deepEqual([...(await (await copiesOf(ids)).find(ids)).keys()].toSorted(), ids.slice(1).toSorted());
  });

  test('a dropped dataset is found no more, though it had a copy', async () => {
    const ids = await datasets(6);
    await copyAll(t, ids);
    const [dropped = '', ...others] = ids;
    await t.store.dropDataset(dropped);
    const copies = await copiesOf(ids);
    assert.equal((await copies.find(ids)).has(dropped), false);
    assert.deepEqual(await summary(t, others, '*:*', ['A']), await inTables(others, '*:*', ['A']));
    await copies.close();
  });

  test('datasets with more paths than the engine keeps apart are searched in their copies as in their tables', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 6; made++) {
      const id = await t.dataset();
      const own = Array.from({ length: 250 }, (_, n) => [
        `f${String(made)}_${String(n)}`,
        n % 2 ? n : `w${String(n)}`,
      ]);
      await t.write(id, [
        { ...Object.fromEntries(own), n: made % 2 ? 5 : 'five' },
        { n: 5.5, list: [1, 'two', { n: 3 }] },
      ]);
      ids.push(id);
    }
    await copyAll(t, ids);
    for (const expression of [
      'f5_7:7',
      'f5_8:w8',
      'n:5',
      'n:[5 TO 6]',
      'n:five',
      'list:two',
      'list.n:3',
      'f0_9:[1 TO 20]',
    ]) {
      assert.deepEqual(
        await summary(t, ids, expression, []),
        await inTables(ids, expression, []),
        expression,
      );
    }
    const [only] = await summary(t, ids, 'f5_7:7', []);
    assert.equal(only?.datasetId, ids[5]);
  });

  test('the engine drops copies some hours after they were made', async () => {
    const run = async (sql: string): Promise<void> => t.engine.command(sql, { lane: 'short' });
    const rows = async (): Promise<number> =>
      Number(await t.engine.text(`SELECT count() FROM ${t.database}.kept`, { lane: 'short' }));
    await run(createCopiesTable(t.database, 'kept', 4));
    const [id = ''] = await datasets(1);
    const columns = copiedColumns.join(', ');
    const copy = async (made: string): Promise<void> =>
      run(
        `INSERT INTO ${t.database}.kept (made_at, writer, sight, ${columns}) SELECT ${made}, 'w', 1, ${columns} FROM ${t.database}.${tableName(id)}`,
      );
    await copy('now() - INTERVAL 5 HOUR');
    await copy('now()');
    await run(`OPTIMIZE TABLE ${t.database}.kept FINAL`);
    assert.equal(await rows(), 6);
  });
});
