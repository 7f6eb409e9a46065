import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { collectResponseBody, maxBufferedBytes } from './response-body.ts';
import { recordBatch } from './record-batch.ts';

const end = () => ({ schema: {}, lastRecordId: 'id', more: false, total: 2 });

/** Rows that record when they were released. */
const rowsOf = (...chunks: string[]) => {
  const state = { isReleased: false };
  return {
    state,
    rows: (async function* () {
      try {
        for (const chunk of chunks) yield Buffer.from(chunk);
      } finally {
        state.isReleased = true;
      }
    })(),
  };
};

/** A small row, and one that exceeds the size of a buffered response. */
const small = '{"a":1}';
const large = `{"a":"${'x'.repeat(maxBufferedBytes)}"}`;

const failingAfter = async function* (...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
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

test('a response has its records, then the totals, and a small one is a single buffer', async () => {
  assert.deepEqual(
    await pageOf(rowsOf(small, ',{"a":2}').rows),
    Buffer.from(`{"records":[${small},{"a":2}],${tail}`),
  );
  assert.deepEqual(await pageOf(rowsOf().rows), Buffer.from(`{"records":[],${tail}`));
});

test('a large response is streamed', async () => {
  const endless = (async function* () {
    for (;;) yield Buffer.from(large);
  })();
  (await streamOf(endless)).destroy();

  const body = await streamOf(rowsOf(small, `,${large}`, `,${small}`).rows);
  assert.equal(await text(body), `{"records":[${small},${large},${small}],${tail}`);
});

test('without a limit, a failure after the first rows breaks off the stream, however few they are', async () => {
  const body = await streamOf(failingAfter(small), false);
  await assert.rejects(text(body), /the engine failed/);
});

test('the pieces of a streamed response depend on its bytes alone, not on the blocks of the engine', async () => {
  const rows = Array.from({ length: 30 }, (_, row) => `${row === 0 ? '' : ','}{"a":"${'x'.repeat(9000)}"}`);
  const blocksOf = (count: number): string[] =>
    Array.from({ length: rows.length / count }, (_, block) =>
      rows.slice(block * count, (block + 1) * count).join(''),
    );
  for (const isPage of [true, false]) {
    const sizes = [];
    for (const count of [1, 2, 10, 30]) {
      const pieces: number[] = [];
      for await (const piece of await streamOf(rowsOf(...blocksOf(count)).rows, isPage))
        pieces.push((piece as Buffer).length);
      sizes.push(pieces);
    }
    for (const pieces of sizes) assert.deepEqual(pieces, sizes[0]);
    assert.equal(sizes[0]?.[0], maxBufferedBytes);
  }
});

test('an error while the response is small rejects, and a later one breaks off the stream', async () => {
  await assert.rejects(pageOf(failingAfter()), /the engine failed/);
  await assert.rejects(pageOf(failingAfter(small)), /the engine failed/);
  await assert.rejects(text(await streamOf(failingAfter(large))), /the engine failed/);
});

test('a response that its client abandons releases its rows, started or not', async () => {
  const unread = rowsOf(large, ',{}');
  const body = await streamOf(unread.rows);
  body.destroy();
  await once(body, 'close');
  assert.equal(unread.state.isReleased, true);

  const started = rowsOf(large, ',{}', ',{}');
  const partlyRead = await streamOf(started.rows);
  const closed = new Promise((resolve) => partlyRead.once('close', resolve));
  for await (const _ of partlyRead) break;
  await closed;
  assert.equal(started.state.isReleased, true);
});
