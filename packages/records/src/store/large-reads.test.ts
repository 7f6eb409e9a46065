import { parseLucene } from '@redoubt/query';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';

/** Less than the large records together. */
const queryMemoryBytes = 128_000_000;
const count = 40;
const limits = [2, 20, 100, 1000, -1];
const text = 'word '.repeat(400_000);

let t: TestStore;
before(async () => {
  t = await openTestStore({ queryMemoryBytes });
});
after(() => t.close());

const writeLarge = async (id: string): Promise<void> => {
  for (let n = 0; n < count; n += 1) await t.write(id, [{ n, z: text }]);
};

/** Reads rows, and returns how many there were and the bytes of the largest chunk. */
const read = async (
  rows: AsyncIterable<Uint8Array>,
  progress: { rows: number },
): Promise<{ rows: number; largest: number }> => {
  let largest = 0;
  for await (const chunk of rows) largest = Math.max(largest, chunk.length);
  return { rows: progress.rows, largest };
};

test('pages of large records need no more memory than a few of them', async () => {
  const id = await t.dataset();
  await writeLarge(id);
  const visible = await t.visible(id);
  for (const limit of limits) {
    const expected = limit < 0 ? count : Math.min(limit, count);
    for (const internalFields of [undefined, 'record-id'] as const) {
      const { rows, progress } = t.store.sequence({ datasetId: id, visible, limit, internalFields });
      const found = await read(rows, progress);
      assert.equal(found.rows, expected, `sequence, ${String(limit)}`);
      assert.ok(found.largest <= 16 * text.length, `a chunk of ${String(found.largest)} bytes`);
    }
    const search = { datasetId: id, visible, limit, offset: 0, tree: parseLucene('z:word') };
    const { rows, progress, total } = await t.store.search(search);
    assert.equal((await read(rows, progress)).rows, expected, `search, ${String(limit)}`);
    assert.equal(await total(), count);
  }
});

test('large records between many small ones are read, although they do not fit into one block', async () => {
  const id = await t.dataset();
  await writeLarge(id);
  const small = Array.from({ length: 60_000 }, (_, n) => ({ n }));
  await t.write(id, small);
  await t.engine.command(`OPTIMIZE TABLE ${t.database}.ds_${id.replaceAll('-', '_')} FINAL`, {
    lane: 'write',
  });
  const visible = await t.visible(id);
  for (const limit of [2, 20, 100]) {
    const { rows, progress } = t.store.sequence({ datasetId: id, visible, limit });
    assert.equal((await read(rows, progress)).rows, limit);
  }
});
