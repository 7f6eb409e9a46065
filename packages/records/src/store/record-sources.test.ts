/* Shows: A-record-sources */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { engineFolder, openTestStore, type TestStore } from '../../testing/test-store.ts';
import { addSourceColumns } from './add-source-columns.ts';

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

/** Stores records as a block of a file that starts at the row `first`. */
const ingest = async (
  datasetId: string,
  file: string,
  records: readonly unknown[],
  first = 0,
): Promise<void> => {
  const parsed = await t.store.parse(Buffer.from(JSON.stringify(records)), 'array');
  const places = (of: (index: number) => number): Float64Array =>
    Float64Array.from(records, (_, index) => of(index));
  const write = await t.store.prepareWrite({
    datasetId,
    parsed,
    labelInfo,
    visible: await t.visible(datasetId),
    block: {
      time: Date.now(),
      random: randomBytes(records.length * 10),
      source: {
        file,
        batch: first,
        rows: places((index) => first + index),
        lines: places((index) => first + index + 2),
        offsets: places((index) => 100 * (first + index)),
      },
    },
  });
  await write.commit({ mayRelabel: false, columnVersion: 0, onBlockStored: async () => undefined });
  parsed.release();
};

const idOf = async (datasetId: string, n: number): Promise<string> =>
  String((await t.records(datasetId, 'A', 'B')).find((record) => record['n'] === n)?.['_koverse_record_id']);
const placeOf = async (datasetId: string, n: number, ...held: string[]) =>
  t.store.placeOf({
    datasetId,
    visible: await t.visible(datasetId, ...held),
    recordId: await idOf(datasetId, n),
  });
const countsOf = async (datasetId: string, ...held: string[]) =>
  Object.fromEntries(await t.store.countByFile({ datasetId, visible: await t.visible(datasetId, ...held) }));

test('a record of a file has its place there, for readers who see it', async () => {
  const [id, file] = [await t.dataset(), randomUUID()];
  await ingest(id, file, [
    { n: 0, label: 'A' },
    { n: 1, label: 'A&' },
    { n: 2, label: 'B' },
  ]);
  await ingest(id, file, [{ n: 3, label: 'A' }], 3);
  await t.write(id, [{ n: 4, label: 'A', source_file: 'mine', source_line: 9 }], { labelInfo });
  assert.deepEqual(await placeOf(id, 2, 'B'), {
    file,
    isReplaced: false,
    batch: 0,
    row: 2,
    line: 4,
    offset: 200,
  });
  assert.deepEqual(await placeOf(id, 3, 'A'), {
    file,
    isReplaced: false,
    batch: 3,
    row: 3,
    line: 5,
    offset: 300,
  });
  assert.equal(await placeOf(id, 2, 'A'), undefined);
  assert.deepEqual(await placeOf(id, 4, 'A'), {
    file: '',
    isReplaced: false,
    batch: 0,
    row: 0,
    line: 0,
    offset: 0,
  });
  assert.deepEqual(await countsOf(id, 'A'), { [file]: 2 });
  assert.deepEqual(await countsOf(id, 'A', 'B'), { [file]: 3 });
  assert.deepEqual(await countsOf(id), {});
  assert.deepEqual([...(await t.store.filesInUse(id))], [file]);
});

test('a record that is replaced or relabelled still comes from its file', async () => {
  const [id, file] = [await t.dataset(), randomUUID()];
  await ingest(id, file, [
    { n: 0, label: 'A' },
    { n: 1, label: 'A' },
  ]);
  const first = (await t.records(id, 'A')).find(({ n }) => n === 0);
  await t.write(id, [{ ...first, text: 'new' }, { n: 7 }], { as: ['A'] });
  await t.store.relabelRecords({
    datasetId: id,
    changeId: randomUUID(),
    which: { recordIds: [await idOf(id, 1)] },
    visible: async () => t.visible(id, 'A'),
    label: 'B',
  });
  const replaced = await placeOf(id, 0, 'A');
  assert.deepEqual([replaced?.file, replaced?.isReplaced], [file, true]);
  assert.deepEqual(await placeOf(id, 1, 'B'), {
    file,
    isReplaced: false,
    batch: 0,
    row: 1,
    line: 3,
    offset: 100,
  });
  assert.equal((await placeOf(id, 7))?.file, '');
  assert.deepEqual(await countsOf(id, 'A'), { [file]: 1 });
});

test('deleting the records of files deletes those visible to the actor', async () => {
  const [id, file, other] = [await t.dataset(), randomUUID(), randomUUID()];
  await ingest(id, file, [
    { n: 0, label: 'A' },
    { n: 1, label: 'B' },
  ]);
  await ingest(id, other, [{ n: 2, label: 'A' }]);
  await t.write(id, [{ n: 3, label: 'A' }], { labelInfo });
  const remove = async (files: string[], ...held: string[]): Promise<void> =>
    t.store.deleteRecords({
      datasetId: id,
      changeId: randomUUID(),
      which: { files },
      visible: async () => t.visible(id, ...held),
    });
  await remove([], 'A', 'B');
  await remove([file], 'A');
  const left = async () =>
    (await t.records(id, 'A', 'B')).map(({ n }) => Number(n)).toSorted((a, b) => a - b);
  assert.deepEqual(await left(), [1, 2, 3]);
  assert.deepEqual([...(await t.store.filesInUse(id))].toSorted(), [file, other].toSorted());
  await remove([file], 'B');
  assert.deepEqual([...(await t.store.filesInUse(id))], [other]);
});

test('tables and backups without the columns about files get them, and keep their records', async () => {
  const id = await t.dataset();
  const table = `${t.database}.ds_${id.replaceAll('-', '_')}`;
  await t.write(
    id,
    [
      { n: 0, label: 'A' },
      { n: 1, label: 'A' },
    ],
    { labelInfo },
  );
  for (const column of ['source_file', 'source_batch', 'source_row', 'source_line', 'source_offset'])
    await t.engine.command(`ALTER TABLE ${table} DROP COLUMN ${column}`, { lane: 'short' });
  // The engine stores this update separately until it merges the parts.
  await t.store.relabelRecords({
    datasetId: id,
    changeId: randomUUID(),
    which: { recordIds: [await idOf(id, 1)] },
    visible: async () => t.visible(id, 'A'),
    label: 'B',
  });
  const old = join(engineFolder(), '..', `${t.database}-old.native`);
  const dumped = await t.engine.bytes(
    `SELECT label_id, record_id, ingested_at, raw, doc, fields, words, loose_path, loose_text, loose_num, time_path, time_us FROM ${table}`,
    { lane: 'short', format: 'Native' },
  );
  writeFileSync(old, dumped);
  await addSourceColumns(t.engine, t.database, undefined);
  await addSourceColumns(t.engine, t.database, undefined);
  const file = randomUUID();
  await ingest(id, file, [{ n: 2, label: 'A' }]);
  assert.equal((await placeOf(id, 0, 'A'))?.file, '');
  assert.equal(await placeOf(id, 1, 'A'), undefined);
  assert.equal((await placeOf(id, 1, 'B'))?.file, '');
  assert.deepEqual(await countsOf(id, 'A'), { [file]: 1 });

  const copy = await t.dataset();
  await t.store.load(copy, old);
  const count = await t.engine.text(
    `SELECT count(), countIf(source_file = '') FROM ${t.database}.ds_${copy.replaceAll('-', '_')}`,
    { lane: 'short' },
  );
  assert.equal(count, '2\t2\n');
});

test('a backup keeps where records come from', async () => {
  const [id, file] = [await t.dataset(), randomUUID()];
  await ingest(id, file, [{ n: 0, label: 'A' }]);
  const path = join(engineFolder(), '..', `${t.database}.native`);
  const pieces: Uint8Array[] = [];
  for await (const piece of t.store.dump(id)) pieces.push(piece);
  writeFileSync(path, Buffer.concat(pieces));
  const copy = await t.dataset();
  await t.store.load(copy, path);
  assert.deepEqual([...(await t.store.filesInUse(copy))], [file]);
});
