import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { PreparedWrite } from './record-writes.ts';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(() => t.close());

/** Prepares a replacement of a record, and then gives that record a label that is new to the dataset. */
async function relabelledBeforeCommit(): Promise<{ id: string; write: PreparedWrite }> {
  const id = await t.dataset();
  await t.write(id, [{ n: 1 }]);
  const [record] = await t.records(id);
  const body = Buffer.from(JSON.stringify([{ ...record, n: 2 }]));
  const write = await t.store.prepareWrite({
    datasetId: id,
    parsed: await t.store.parse(body, 'array'),
    labelInfo: undefined,
    visible: await t.visible(id, 'B'),
  });
  await t.store.relabelRecords({
    datasetId: id,
    changeId: randomUUID(),
    which: { all: true },
    label: 'B',
    visible: async () => t.visible(id),
  });
  return { id, write };
}

test('a record that gets a new label while its replacement is prepared is replaced by a writer who sees it', async () => {
  const { id, write } = await relabelledBeforeCommit();
  await write.commit({
    mayRelabel: false,
    columnVersion: 0,
    writer: async () => ({ visible: await t.visible(id, 'B'), mayRelabel: false, columnVersion: 0 }),
  });
  assert.deepEqual(
    (await t.records(id, 'B')).map((record) => [record['n'], record['_koverse_security_label']]),
    [[2, 'B']],
  );
  assert.deepEqual(await t.records(id), []);
});

test('it is not found by a writer who does not see it any more', async () => {
  const { id, write } = await relabelledBeforeCommit();
  await assert.rejects(
    write.commit({
      mayRelabel: false,
      columnVersion: 0,
      writer: async () => ({ visible: await t.visible(id), mayRelabel: false, columnVersion: 0 }),
    }),
    { name: 'NotFoundError' },
  );
  assert.deepEqual(
    (await t.records(id, 'B')).map(({ n }) => n),
    [1],
  );
});
