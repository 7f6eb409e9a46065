/* Shows: K-read-batch, D-sequence-exclusive, D-batch-total, D-internal-record-id, D-internal-dataset-id,
   D-internal-security-label, E-RecordBatch-records, E-RecordBatch-lastRecordId, E-RecordBatch-more,
   E-Query-datasetId, E-Query-startingRecordId, E-Query-endingRecordId, E-Query-batchSize,
   L-hazard-unlimited-queries, R-query-limit-all, W-sequence-request, W-sequence-start, W-sequence-after,
   W-sequence-lastRecordId, W-sequence-batchSize, W-sequence-more, W-read-answer, W-read-records */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  addMember,
  bodyOf,
  createRecordFixture,
  createWorkspace,
  labelField,
  type RecordResponse,
  type RecordFixture,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const largeRecords = 110_000;
const largeText = `word ${'x'.repeat(245)}`;

const numbersOf = ({ records }: RecordResponse): number[] => records.map(({ n }) => n as number);

/** Bytes that are reachable in this process. */
const heldBytes = async (): Promise<number> => {
  collectGarbage();
  await pause(20);
  // Unreachable buffers are freed when the next collection begins; a minor one is enough.
  collectGarbage({ type: 'minor' });
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

describe('reading records in sequence and in full', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  /** A dataset of 110,000 records of about 270 bytes. */
  let large: string;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    large = await fixture.dataset();
    const batch = 55_000;
    for (let from = 0; from < largeRecords; from += batch) {
      const records = Array.from({ length: batch }, (_, n) => `{"n":${from + n},"text":"${largeText}"}`);
      bodyOf(200, await fixture.write(large, `[${records.join(',')}]`));
    }
  });
  after(() => server.close());

  const read = async (body: Record<string, unknown>, token = fixture.admin): Promise<RecordResponse> =>
    bodyOf(200, await fixture.post('/readInSequence', JSON.stringify(body), { token }));
  /** Reads page after page by lastRecordId until `more` is false, as clients do. */
  const readOn = async (
    datasetId: string,
    batchSize: number,
    token = fixture.admin,
  ): Promise<RecordResponse[]> => {
    const responses: RecordResponse[] = [];
    let startingRecordId = '';
    for (;;) {
      const response = await read({ datasetId, startingRecordId, batchSize }, token);
      responses.push(response);
      if (!response.more) return responses;
      assert.ok(response.lastRecordId !== null && response.lastRecordId > startingRecordId);
      startingRecordId = response.lastRecordId;
    }
  };
  /** Creates a dataset of records `{n}` written one by one, every third labelled A, and returns the ids of all. */
  const dataset = async (size: number): Promise<{ id: string; ids: string[] }> => {
    const id = await fixture.dataset();
    for (let n = 0; n < size; n += 1) {
      const records = [{ n, label: n % 3 === 2 ? 'A' : '' }];
      bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
    }
    const token = await fixture.reader('A');
    const { records } = await read({ datasetId: id, includeInternalRecordId: true }, token);
    return { id, ids: records.map((record) => String(record['_koverse_record_id'])) };
  };
  const startReading = async (path: string, body: object, signal?: AbortSignal) => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.admin}` },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
    assert.equal(response.status, 200);
    return (response.body as ReadableStream<Uint8Array>).getReader();
  };

  test('a read in sequence returns records, schema, lastRecordId, more and total', async () => {
    const { id, ids } = await dataset(3);
    const response = await read({ datasetId: id, startingRecordId: '' }, await fixture.reader('A'));
    assert.deepEqual(response, {
      records: [
        { n: 0, label: '' },
        { n: 1, label: '' },
        { n: 2, label: 'A' },
      ],
      schema: { label: { type: 'text' }, n: { type: 'bigint' } },
      lastRecordId: ids[2],
      more: false,
      total: 3,
    });
    const empty = await fixture.dataset();
    assert.deepEqual(await read({ datasetId: empty }), {
      records: [],
      schema: {},
      lastRecordId: null,
      more: false,
      total: 0,
    });
  });

  test('reading starts at the first record for an empty or absent start, and after the given id otherwise', async () => {
    const { id, ids } = await dataset(6);
    const token = await fixture.reader('A');
    const from = async (rest: object) => numbersOf(await read({ datasetId: id, ...rest }, token));
    assert.deepEqual(await from({}), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await from({ startingRecordId: '' }), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await from({ startingRecordId: ids[0] }), [1, 2, 3, 4, 5]);
    assert.deepEqual(await from({ startingRecordId: ids[4] }), [5]);
    assert.deepEqual(await from({ startingRecordId: ids[5] }), []);
    assert.deepEqual(await from({ startingRecordId: '0' }), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await from({ startingRecordId: "zz' OR 1=1 --" }), []);
  });

  test('the end is included, and an empty end is open', async () => {
    const { id, ids } = await dataset(6);
    const token = await fixture.reader('A');
    const of = async (rest: object) => read({ datasetId: id, ...rest }, token);
    assert.deepEqual(numbersOf(await of({ endingRecordId: ids[2] })), [0, 1, 2]);
    assert.deepEqual(numbersOf(await of({ endingRecordId: '' })), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(numbersOf(await of({ startingRecordId: ids[1], endingRecordId: ids[3] })), [2, 3]);
    assert.deepEqual(numbersOf(await of({ startingRecordId: ids[3], endingRecordId: ids[3] })), []);
    const cut = await of({ endingRecordId: ids[3], batchSize: 3 });
    assert.deepEqual([cut.more, cut.lastRecordId, cut.total], [true, ids[2], 6]);
    const rest = await of({ startingRecordId: cut.lastRecordId, endingRecordId: ids[3], batchSize: 3 });
    assert.deepEqual([numbersOf(rest), rest.more], [[3], false]);
  });

  test('batchSize limits a response, more says whether records follow, and -1 means all', async () => {
    const { id } = await dataset(6);
    const token = await fixture.reader('A');
    const sizes: [number, number, boolean][] = [
      [1, 1, true],
      [5, 5, true],
      [6, 6, false],
      [7, 6, false],
      [0, 6, false],
      [-1, 6, false],
    ];
    for (const [batchSize, size, more] of sizes) {
      const response = await read({ datasetId: id, batchSize }, token);
      assert.deepEqual(
        [response.records.length, response.more, response.total],
        [size, more, 6],
        `${batchSize}`,
      );
    }
  });

  test('a hidden record affects neither more nor lastRecordId', async () => {
    const { id, ids } = await dataset(6);
    const token = await fixture.reader();
    const visible = [0, 1, 3, 4];
    const page = await read({ datasetId: id, batchSize: 2 }, token);
    assert.deepEqual([numbersOf(page), page.lastRecordId, page.total], [[0, 1], ids[1], 4]);
    const last = await read({ datasetId: id, startingRecordId: ids[1], batchSize: 2 }, token);
    assert.deepEqual([numbersOf(last), last.more, last.lastRecordId], [[3, 4], false, ids[4]]);
    for (const size of [1, 2, 3, 4, 5]) {
      assert.deepEqual((await readOn(id, size, token)).flatMap(numbersOf), visible);
    }
    const hidden = await read({ datasetId: id, startingRecordId: ids[2] }, token);
    assert.deepEqual(numbersOf(hidden), [3, 4]);
  });

  test('following lastRecordId returns each existing record exactly once, even while others are written', async () => {
    const { id } = await dataset(60);
    const token = await fixture.reader();
    const reading = new AbortController();
    const writing = (async () => {
      for (let n = 1000; !reading.signal.aborted; n += 1) bodyOf(200, await fixture.write(id, [{ n }]));
    })();
    const responses = await readOn(id, 7, token);
    reading.abort();
    await writing;
    const numbers = responses.flatMap(numbersOf);
    assert.equal(new Set(numbers).size, numbers.length);
    assert.deepEqual(
      numbers.filter((n) => n < 1000),
      Array.from({ length: 60 }, (_, n) => n).filter((n) => n % 3 !== 2),
    );
  });

  test('internal fields are added to a read in sequence on request', async () => {
    const { id, ids } = await dataset(1);
    for (const [body, query] of [
      [{ includeInternalFields: true }, ''],
      [{}, '?includeInternalFields=True'],
    ] as const) {
      const response = await fixture.post(
        `/readInSequence${query}`,
        JSON.stringify({ datasetId: id, ...body }),
      );
      const [record] = bodyOf(200, response).records;
      assert.deepEqual([record?.['_koverse_record_id'], record?.['_koverse_dataset_id']], [ids[0], id]);
      assert.equal(record?.['_koverse_security_label'], '');
    }
    const [plain] = (await read({ datasetId: id })).records;
    assert.deepEqual(plain, { n: 0, label: '' });
  });

  test('a read in sequence accepts only its own keys, with the right types', async () => {
    const id = await fixture.dataset();
    const wrong = [
      {},
      { datasetId: id, limit: 5 },
      { datasetId: id, expression: '*:*' },
      { datasetId: id, batchSize: -2 },
      { datasetId: id, batchSize: '5' },
      { datasetId: id, startingRecordId: 5 },
      { datasetId: id, startingRecordId: null },
      { datasetId: id, endingRecordId: [] },
      [],
    ];
    for (const body of wrong) bodyOf(400, await fixture.post('/readInSequence', JSON.stringify(body)));
  });

  test('reading in sequence needs read: 403 with write alone, and the same 404 for hidden and absent datasets', async () => {
    const post = (datasetId: string, token: string) =>
      fixture.post('/readInSequence', JSON.stringify({ datasetId }), { token });
    bodyOf(403, await post(await fixture.dataset(['write']), await fixture.reader()));
    const id = await fixture.dataset();
    const absent = '00000000-0000-4000-8000-000000000000';
    const others = [await addMember(server, fixture.workspace), (await createWorkspace(server)).admin];
    for (const { token } of others) {
      const hidden = await post(id, token);
      bodyOf(404, hidden);
      assert.equal((await post(absent, token)).text, hidden.text.replaceAll(id, absent));
    }
  });

  test('without batchSize a read in sequence returns up to 100,000 records', async () => {
    for (const body of [{ datasetId: large }, { datasetId: large, batchSize: 0 }]) {
      const { records, more, total } = await read(body);
      assert.deepEqual([records.length, more, total], [100_000, true, largeRecords]);
    }
  });

  test('all records can be read in one response or in several, with the same result', async () => {
    const found = bodyOf(
      200,
      await fixture.post('/query/lucene', JSON.stringify({ datasetId: large, expression: '*:*', limit: -1 })),
    );
    assert.deepEqual([found.total, found.more], [largeRecords, false]);
    const numbers = numbersOf(found);
    assert.equal(new Set(numbers).size, largeRecords);
    assert.deepEqual((await readOn(large, 90_000)).flatMap(numbersOf), numbers);
  });

  test('responses of any length are streamed: memory does not grow with them, however slow the clients', async () => {
    const responseCount = 3;
    const responseBytes = responseCount * largeRecords * (largeText.length + 20);
    for (const [path, body] of [
      ['/query/lucene', { datasetId: large, expression: '*:*', limit: -1 }],
      ['/readInSequence', { datasetId: large, batchSize: -1 }],
    ] as const) {
      const before = await heldBytes();
      const readers = await Promise.all(
        Array.from({ length: responseCount }, () => startReading(path, body)),
      );
      let bytes = 0;
      const samples: number[] = [];
      for (let next = 0, left = readers; left.length > 0;) {
        const chunks = await Promise.all(left.map((reader) => reader.read()));
        left = left.filter((_, index) => chunks[index]?.done === false);
        bytes += chunks.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
        if (bytes < next) continue;
        next = bytes + responseBytes / 8;
        samples.push((await heldBytes()) - before);
      }
      assert.ok(bytes > responseBytes, `${bytes}`);
      // The median of the samples: a single one may include chunks in transit.
      const usual = samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? Infinity;
      assert.ok(usual < responseBytes / 3, `${usual} bytes were held for answers of ${bytes}`);
    }
  });

  test('a long response is cut off once its reader loses access', async () => {
    for (const [path, body] of [
      ['/query/lucene', { datasetId: large, expression: '*:*', limit: -1 }],
      ['/readInSequence', { datasetId: large, batchSize: -1 }],
    ] as const) {
      const person = await fixture.newReader();
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.token}` },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 200);
      await fixture.call(200, 'DELETE', `/users/${person.id}`);
      server.runtime.clock.advance(2000);
      await assert.rejects(response.text());
    }
  });

  test('clients that disconnect in the middle of a response leave no work behind', async () => {
    for (const [path, body] of [
      ['/query/lucene', { datasetId: large, expression: '*:*', limit: -1 }],
      ['/readInSequence', { datasetId: large, batchSize: -1 }],
    ] as const) {
      for (let turn = 0; turn < 20; turn += 1) {
        const going = new AbortController();
        const reader = await startReading(path, body, going.signal);
        await reader.read();
        going.abort();
      }
    }
    const left = { datasetId: large, batchSize: 2000 };
    assert.equal((await read(left)).records.length, 2000);
  });

  test('clients that disconnect before their response starts leave no work behind and cause no error', async () => {
    const body = JSON.stringify({ datasetId: large, expression: 'word OR text:/.*y/', limit: -1 });
    for (let turn = 0; turn < 24; turn += 1) {
      const going = new AbortController();
      const pending = fetch(`${server.url}/query/lucene`, {
        method: 'POST',
        headers: { authorization: `Bearer ${fixture.admin}` },
        body,
        signal: going.signal,
      }).then(
        () => undefined,
        () => undefined,
      );
      await pause(turn * 5);
      going.abort();
      await pending;
    }
    assert.equal((await read({ datasetId: large, batchSize: 2000 })).records.length, 2000);
    assert.deepEqual(
      server.log.filter((line) => line.includes('unexpected error')),
      [],
    );
  });
});
