/* Shows: F-POST-/uploads-writeMode */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';
import type { Engine } from '../engine/engine.ts';
import { createStoredProbes } from './stored-probes.ts';
import { qualifyTable, tableName } from './record-table.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(async () => {
  await t.close();
});

const byField = {
  parserClassName: 'identity-parser',
  fields: ['label'],
  labelHandlingPolicy: 'ignore',
} as const;

/** Stores records in a slot, where nobody sees them. */
async function stage(id: string, slot: number, records: readonly unknown[]): Promise<void> {
  const parsed = await t.store.parse(Buffer.from(JSON.stringify(records)), 'array');
  const places = Float64Array.from(records, (_, index) => index);
  const write = await t.store.prepareWrite({
    datasetId: id,
    parsed,
    labelInfo: byField,
    visible: await t.visible(id),
    block: {
      time: Date.now(),
      random: randomBytes(records.length * 10),
      source: { file: 'a', batch: 0, rows: places, lines: places, offsets: places },
    },
  });
  await write.commit({ mayRelabel: false, columnVersion: 0, slot, onBlockStored: async () => undefined });
  parsed.release();
}

const replace = async (
  store: TestStore['store'],
  id: string,
  expected: number,
  {
    slot = 0,
    as = ['A'],
    decided = async () => undefined,
  }: { slot?: number; as?: string[]; decided?: () => Promise<void> } = {},
): Promise<boolean> =>
  store.replaceVisible({
    datasetId: id,
    slot,
    expected,
    author: async () => ({ visible: await t.visible(id, ...as), columnVersion: 0 }),
    decided,
    stored: async () => undefined,
  });

const seen = async (id: string, ...attributes: string[]): Promise<number[]> =>
  (await t.records(id, ...attributes)).map(({ n }) => Number(n)).toSorted((a, b) => a - b);

const hasStaged = async (id: string, slot: number): Promise<boolean> =>
  createStoredProbes(t.engine, qualifyTable(t.database, tableName(id))).hasStaged(slot);

/** Creates a dataset with visible records, and with staged records in two slots. */
async function prepared(): Promise<string> {
  const id = await t.dataset();
  await t.write(id, [{ n: 1 }, { n: 2, label: 'A' }, { n: 3, label: 'B' }, { n: 4, label: 'A&B' }], {
    labelInfo: byField,
  });
  await stage(id, 0, [{ n: 11 }, { n: 12, label: 'A' }, { n: 13, label: 'C' }]);
  await stage(id, 1, [{ n: 99 }]);
  return id;
}

test('records that are still arriving are hidden from everybody: no read, count or search includes them', async () => {
  const id = await prepared();
  assert.deepEqual(await seen(id, 'A', 'B', 'C'), [1, 2, 3, 4]);
  assert.equal(await t.store.countVisible(id, await t.visible(id, 'A', 'B', 'C')), 4);
  assert.equal((await t.search(id, 'n:11', 'A', 'B', 'C')).total, 0);
  await t.store.deleteRecords({
    datasetId: id,
    changeId: 'x-0',
    which: { all: true },
    visible: async () => t.visible(id, 'A'),
  });
  assert.equal(await hasStaged(id, 0), true);
});

test('all visible records are replaced at once, hidden ones stay, and another slot keeps waiting', async () => {
  const id = await prepared();
  const counts: unknown[] = [];
  const isWhole = await t.store.replaceVisible({
    datasetId: id,
    slot: 0,
    expected: 3,
    author: async () => ({ visible: await t.visible(id, 'A'), columnVersion: 0 }),
    decided: async (gone, come) => {
      counts.push(Object.fromEntries(gone), Object.fromEntries(come));
      assert.deepEqual(await seen(id, 'A'), [1, 2]);
    },
    stored: async () => assert.deepEqual(await hasStaged(id, 0), false),
  });
  assert.equal(isWhole, true);
  assert.deepEqual(counts, [
    { '': 1, A: 1 },
    { '': 1, A: 1, C: 1 },
  ]);
  assert.deepEqual(
    [await seen(id, 'A'), await seen(id, 'A', 'B'), await seen(id, 'C')],
    [
      [11, 12],
      [3, 4, 11, 12],
      [11, 13],
    ],
  );
  assert.equal(await t.store.countVisible(id, await t.visible(id, 'A', 'B', 'C')), 5);
  assert.equal((await t.search(id, 'n:12', 'A')).total, 1);
  assert.equal((await t.search(id, 'n:2', 'A')).total, 0);
  assert.equal(await replace(t.store, id, 3), false);
  assert.deepEqual(await seen(id, 'A'), [11, 12]);
  assert.equal(await hasStaged(id, 1), true);
});

test('where a clear took what had arrived, nothing is replaced', async () => {
  const id = await prepared();
  await t.store.clearDataset({ datasetId: id, changeId: 'y-0', mayStill: async () => undefined });
  await t.write(id, [{ n: 5 }]);
  assert.equal(await replace(t.store, id, 3), false);
  assert.deepEqual(await seen(id, 'A'), [5]);
});

test('what has arrived can be removed, and only that of its slot', async () => {
  const id = await prepared();
  await t.store.removeStaged({ datasetId: id, slot: 0 });
  assert.deepEqual([await hasStaged(id, 0), await hasStaged(id, 1)], [false, true]);
  assert.deepEqual(await seen(id, 'A'), [1, 2]);
});

test('replacing records keeps what has arrived, also when it fails', async () => {
  const id = await prepared();
  const [record] = await t.records(id, 'A');
  await t.write(id, [{ ...record, n: 7 }], { as: ['A'] });
  const wrong = [
    { _koverse_record_id: String(record?.['_koverse_record_id']), n: 8 },
    { _koverse_record_id: 'none', n: 9 },
  ];
  await assert.rejects(t.write(id, wrong, { as: ['A'] }));
  assert.equal(await replace(t.store, id, 3), true);
  assert.deepEqual(await seen(id, 'A'), [11, 12]);
});

class Killed extends Error {}

test('a replacement is complete or absent, wherever the process was killed', async () => {
  const outcomes = new Set<string>();
  for (let point = 1, isDone = false; !isDone; point++) {
    for (const isAfter of [false, true]) {
      const id = await prepared();
      let steps = 0;
      const engine: Engine = {
        ...t.engine,
        command: async (sql, options) => {
          if (!sql.startsWith('UPDATE')) return t.engine.command(sql, options);
          steps++;
          if (steps > point || (steps === point && !isAfter)) throw new Killed();
          await t.engine.command(sql, options);
          if (steps === point) throw new Killed();
        },
        // A killed process cannot run queries either.
        text: async (sql, options) =>
          steps >= point ? Promise.reject(new Killed()) : t.engine.text(sql, options),
      };
      const dying = await t.reopen(engine);
      await replace(dying.store, id, 3).catch((error: unknown) =>
        assert.ok(error instanceof Killed, String(error)),
      );
      if (steps < point) isDone = true;
      await t.reopen();
      const isShown = !(await hasStaged(id, 0));
      assert.deepEqual(await seen(id, 'A'), isShown ? [11, 12] : [1, 2]);
      outcomes.add(isShown ? 'whole' : 'absent');
      assert.equal(await replace(t.store, id, 3), !isShown);
      assert.deepEqual(
        [await seen(id, 'A'), await seen(id, 'A', 'B')],
        [
          [11, 12],
          [3, 4, 11, 12],
        ],
      );
    }
  }
  assert.deepEqual([...outcomes].toSorted(), ['absent', 'whole']);
});

test('an author who decides otherwise at the last moment leaves everything as it was', async () => {
  const id = await prepared();
  await assert.rejects(replace(t.store, id, 3, { decided: () => Promise.reject(new Error('no')) }), /no/);
  assert.deepEqual([await seen(id, 'A'), await hasStaged(id, 0)], [[1, 2], true]);
});

test('records are found by their keys: hidden records, hidden fields, objects and lists count as absent', async () => {
  const id = await t.dataset();
  t.labelColumns(id, { secret: 'S', 'part.inside': 'S' });
  await t.write(
    id,
    '[{"k":"x","n":1.50},{"k":"x","n":2,"label":"B"},{"k":"it\'s \\\\ \\n tab\\t","n":true},{"k":"y","part":{"inside":"z"}},{"k":"y","n":[1]},{"secret":"x","k":"q"},{"n":12345678901234567890123}]',
    { labelInfo: byField },
  );
  const found = async (fields: string[], ...keys: string[][]): Promise<Record<string, string[]>> => {
    const records = await t.store.findByKeys({
      datasetId: id,
      visible: await t.visible(id, 'A'),
      fields,
      keys,
    });
    return Object.fromEntries([...records].map(([key, list]) => [key, list.map(({ label }) => label)]));
  };
  assert.deepEqual(await found(['k'], ['x'], ['nothing'], ["it's \\ \n tab\t"]), {
    '["x"]': [''],
    [JSON.stringify(["it's \\ \n tab\t"])]: [''],
  });
  assert.deepEqual(await found(['k', 'n'], ['x', '1.50'], ['x', '2'], ["it's \\ \n tab\t", 'true']), {
    '["x","1.50"]': [''],
    [JSON.stringify(["it's \\ \n tab\t", 'true'])]: [''],
  });
  assert.deepEqual(await found(['n'], ['12345678901234567890123'], ['[1]'], ['1.5']), {
    '["12345678901234567890123"]': [''],
  });
  assert.deepEqual(await found(['k'], ['y']), { '["y"]': ['', ''] });
  assert.deepEqual(await found(['secret'], ['x']), {});
  assert.deepEqual(await found(['part'], ['{"inside":"z"}'], ['{}']), {});
  assert.deepEqual(await found(['absent'], ['x']), {});
});

test('of a key that many records have, the first two are found at once', async () => {
  const id = await t.dataset();
  const many = Array.from({ length: 30_000 }, (_, n) => ({ k: 'x', m: 'y', n }));
  await t.write(id, JSON.stringify([...many, { k: 'z', m: 'y' }]));
  const request = { datasetId: id, visible: await t.visible(id), fields: ['k', 'm'] };
  const keys = [
    ['x', 'y'],
    ['z', 'y'],
  ];
  const found = await t.store.findByKeys({ ...request, keys });
  assert.deepEqual(
    [...found].map(([key, records]) => [key, records.length]),
    [
      ['["x","y"]', 2],
      ['["z","y"]', 1],
    ],
  );
  const [first, second] = found.get('["x","y"]') ?? [];
  assert.ok((first?.recordId ?? '') < (second?.recordId ?? ''));
  assert.deepEqual(await t.store.findByKeys({ ...request, keys }), found);
  const signal = AbortSignal.abort(new Error('gone'));
  await assert.rejects(t.store.findByKeys({ ...request, keys, signal }));
});
