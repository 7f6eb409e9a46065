import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { collectResponseBody, maxBufferedBytes } from './response-body.ts';
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

/** A row, and one that is as large as an answer may be that is sent whole. */
const small = '{"a":1}';
const large = `{"a":"${'x'.repeat(maxBufferedBytes)}"}`;

const failingAfter = async function* (...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
  throw new Error('the engine failed');
};

type Rows = Parameters<typeof recordBatch>[0];

const pageOf = (rows: Rows) => collectResponseBody(recordBatch(rows, end), true);

const streamOf = async (rows: Rows, isPage = true): Promise<Readable> => {
  const body = await collectResponseBody(recordBatch(rows, end), isPage);
  assert(body instanceof Readable);
  return body;
};

const tail = '"schema":{},"lastRecordId":"id","more":false,"total":2}';

test('an answer has its records, then what is known at their end, and a small one is whole', async () => {
  assert.deepEqual(
    await pageOf(rowsOf(small, ',{"a":2}').rows),
    Buffer.from(`{"records":[${small},{"a":2}],${tail}`),
  );
  assert.deepEqual(await pageOf(rowsOf().rows), Buffer.from(`{"records":[],${tail}`));
});

test('a large answer is sent as it comes', async () => {
  const endless = (async function* () {
    for (;;) yield Buffer.from(large);
  })();
  (await streamOf(endless)).destroy();

  const answer = await streamOf(rowsOf(small, `,${large}`, `,${small}`).rows);
  assert.equal(await text(answer), `{"records":[${small},${large},${small}],${tail}`);
});

test('of all rows the first ones are sent when they are there, however few they are', async () => {
  const answer = await streamOf(failingAfter(small), false);
  await assert.rejects(text(answer), /the engine failed/);
});

test('an answer whose rows fail while it is small is a fault, and one that fails later ends in the middle', async () => {
  await assert.rejects(pageOf(failingAfter()), /the engine failed/);
  await assert.rejects(pageOf(failingAfter(small)), /the engine failed/);
  await assert.rejects(text(await streamOf(failingAfter(large))), /the engine failed/);
});

test('an answer that its reader leaves lets go of its rows, begun or not', async () => {
  const unread = rowsOf(large, ',{}');
  const answer = await streamOf(unread.rows);
  answer.destroy();
  await once(answer, 'close');
  assert.equal(unread.state.isLetGo, true);

  const begun = rowsOf(large, ',{}', ',{}');
  const left = await streamOf(begun.rows);
  const closed = new Promise((resolve) => left.once('close', resolve));
  for await (const _ of left) break;
  await closed;
  assert.equal(begun.state.isLetGo, true);
});
