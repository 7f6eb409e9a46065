import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { recordBatch } from './record-batch.ts';

const end = () => ({ schema: {}, lastRecordId: 'id', more: false, total: 2 });

/** Rows that say when they were let go. */
const rowsOf = (...pieces: string[]) => {
  const state = { isLetGo: false };
  return {
    state,
    rows: (async function* () {
      try {
        for (const piece of pieces) yield Buffer.from(piece);
      } finally {
        state.isLetGo = true;
      }
    })(),
  };
};

/** So many rows, and then a fault. */
const failing = async function* (count: number) {
  for (let n = 0; n < count; n += 1) yield Buffer.from(n === 0 ? '{}' : ',{}');
  throw new Error('the engine failed');
};

test('an answer has its records, then what is known at their end', async () => {
  const tail = '"schema":{},"lastRecordId":"id","more":false,"total":2}';
  assert.equal(
    await text(await recordBatch(rowsOf('{"a":1}', ',{"a":2}').rows, end)),
    `{"records":[{"a":1},{"a":2}],${tail}`,
  );
  assert.equal(await text(await recordBatch(rowsOf().rows, end)), `{"records":[],${tail}`);
});

test('an answer whose rows fail at once is a fault, and one that fails later ends in the middle', async () => {
  await assert.rejects(recordBatch(failing(0), end), /the engine failed/);
  await assert.rejects(text(await recordBatch(failing(2), end)), /the engine failed/);
});

test('an answer that its reader leaves lets go of its rows, begun or not', async () => {
  const unread = rowsOf('{}', ',{}');
  const answer = await recordBatch(unread.rows, end);
  answer.destroy();
  await once(answer, 'close');
  assert.equal(unread.state.isLetGo, true);

  const begun = rowsOf('{}', ',{}', ',{}');
  for await (const _ of await recordBatch(begun.rows, end)) break;
  assert.equal(begun.state.isLetGo, true);
});
