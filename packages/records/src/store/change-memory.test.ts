import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { openChdbEngine } from '../engine/chdb-engine.ts';
import { engineFolder, openTestStore, type TestStore } from '../../testing/test-store.ts';

/** The smallest memory limit that an engine supports. The records and their copies for searches need more. */
const engineMemoryBytes = 512 * 1024 * 1024;
const count = 344;
const together = 8;

let t: TestStore;
before(async () => {
  const engine = await openChdbEngine({ path: engineFolder(), memoryLimitBytes: engineMemoryBytes });
  t = await openTestStore({ engineMemoryBytes }, engine);
});
after(() => t.close());

const large = (n: number): string => `word${String(n)} `.repeat(60_000);

test('records with hidden values larger than the memory of the engine are replaced and relabelled atomically', async () => {
  const id = await t.dataset();
  const table = `${t.database}.ds_${id.replaceAll('-', '_')}`;
  const query = async (sql: string): Promise<string[]> =>
    (await t.engine.text(sql, { lane: 'short' })).split('\n').slice(0, -1);
  // Merges also use memory, at times that the test does not control.
  await t.engine.command(`SYSTEM STOP MERGES ${table}`, { lane: 'short' });
  t.labelColumns(id, { h: 'S' });
  for (let from = 0; from < count; from += together) {
    const records = Array.from({ length: together }, (_, at) => ({ n: from + at, h: large(from + at) }));
    await t.write(id, records);
  }
  const hidden = `SELECT DISTINCT cityHash64(JSONExtractString(raw, 'h')) AS hash FROM ${table} WHERE JSONHas(raw, 'h') ORDER BY hash`;
  const kept = await query(hidden);
  assert.equal(kept.length, count);

  const replaced = (await query(`SELECT record_id FROM ${table}`)).map((recordId, n) => ({
    _koverse_record_id: recordId,
    n: n + 1000,
  }));
  await t.write(id, [...replaced, { n: 2000 }]);
  const numbers = `SELECT JSONExtractUInt(raw, 'n') AS n FROM ${table} WHERE label_id = 0 ORDER BY n`;
  assert.deepEqual((await query(numbers)).map(Number), [...replaced.map(({ n }) => n), 2000]);
  assert.deepEqual(await query(hidden), kept);
  assert.equal((await t.texts(id)).length, count + 1);

  await t.store.relabelRecords({
    datasetId: id,
    changeId: randomUUID(),
    which: { all: true },
    label: 'A',
    visible: async () => t.visible(id),
  });
  assert.equal(await t.store.countVisible(id, await t.visible(id)), 0);
  assert.equal(await t.store.countVisible(id, await t.visible(id, 'A')), count + 1);
  assert.deepEqual(await query(numbers), []);
  assert.deepEqual(await query(hidden), kept);
});
