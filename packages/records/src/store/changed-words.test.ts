import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { parseLucene } from '@redoubt/query';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(() => t.close());

const labels = ['A', 'B', 'C'];
const labelInfo = {
  fields: ['label'],
  parserClassName: 'identity-parser',
  labelHandlingPolicy: 'ignore',
} as const;
const count = 12_000;
const words = 7;

/** The expected label and word of each record, by the number of the record. */
type Model = Map<number, { label: string; word: number }>;

const range = (from: number, size: number): number[] => Array.from({ length: size }, (_, at) => from + at);
const selector = (from: number, size: number) => ({
  tree: parseLucene(`n:[${String(from)} TO ${String(from + size - 1)}]`),
});

async function requireWords(id: string, model: Model, when: string): Promise<void> {
  for (const held of [labels, ...labels.map((label) => [label])]) {
    for (let word = 0; word <= words; word++) {
      const expected = [...model.values()].filter(
        (record) => record.word === word && held.includes(record.label),
      );
      for (const expression of [`word${String(word)}`, `text:word${String(word)}`]) {
        const { total } = await t.search(id, expression, ...held);
        assert.equal(total, expected.length, `${when}: ${expression} as ${held.join(',')}`);
      }
    }
  }
}

test('searches for words are right after replacing, relabelling and deleting records, before and after merges', async () => {
  const id = await t.dataset();
  const table = `${t.database}.ds_${id.replaceAll('-', '_')}`;
  const run = async (sql: string): Promise<void> => t.engine.command(sql, { lane: 'short' });
  const model: Model = new Map();
  // Makes inserts so large that the engine writes the word index at once, not only when it merges.
  const filler = 'filler '.repeat(12);
  const record = (n: number, word: number, label: string) => ({
    n,
    label,
    text: `word${String(word)} ${filler}`,
  });
  const write = async (from: number, size: number): Promise<void> => {
    const records = range(from, size).map((n) => record(n, n % words, labels[n % 3] ?? ''));
    for (const { n, label } of records) model.set(n, { label, word: n % words });
    await t.write(id, records, { labelInfo });
  };
  const relabel = async (from: number, size: number, label: string): Promise<void> => {
    await t.store.relabelRecords({
      datasetId: id,
      changeId: randomUUID(),
      which: selector(from, size),
      label,
      visible: async () => t.visible(id, ...labels),
    });
    for (const n of range(from, size)) {
      const known = model.get(n);
      if (known !== undefined) model.set(n, { ...known, label });
    }
  };
  const remove = async (from: number, size: number): Promise<void> => {
    await t.store.deleteRecords({
      datasetId: id,
      changeId: randomUUID(),
      which: selector(from, size),
      visible: async () => t.visible(id, ...labels),
    });
    for (const n of range(from, size)) model.delete(n);
  };
  const replace = async (from: number, size: number): Promise<void> => {
    const old = (await t.records(id, ...labels)).filter(
      ({ n }) => Number(n) >= from && Number(n) < from + size,
    );
    await t.write(
      id,
      old.map((each) => ({
        _koverse_record_id: each['_koverse_record_id'],
        ...record(Number(each['n']), words, String(each['label'])),
      })),
      { as: labels },
    );
    for (const { n } of old) model.set(Number(n), { label: model.get(Number(n))?.label ?? '', word: words });
  };

  await run(`SYSTEM STOP MERGES ${table}`);
  await write(0, count);
  await write(count, 200);
  const steps: [string, () => Promise<void>][] = [
    ['relabelled', async () => relabel(100, 900, 'B')],
    ['deleted', async () => remove(500, 1000)],
    ['relabelled across deleted ones', async () => relabel(300, 1500, 'C')],
    ['replaced by few', async () => replace(1700, 40)],
    ['replaced by many', async () => replace(2000, 9000)],
    ['relabelled after that', async () => relabel(1600, 5000, 'A')],
    ['deleted after that', async () => remove(4000, 2500)],
  ];
  for (const [when, step] of steps) {
    await step();
    await requireWords(id, model, when);
  }
  await run(`SYSTEM START MERGES ${table}`);
  await run(`OPTIMIZE TABLE ${table} FINAL`);
  await requireWords(id, model, 'merged');
  await relabel(0, 3000, 'B');
  await replace(8000, 2000);
  await remove(9000, 100);
  await requireWords(id, model, 'changed after the merge');
});
