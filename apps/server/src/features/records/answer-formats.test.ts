import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  createRecordDesk,
  labelField,
  bodyOf,
  startServer,
  type RecordDesk,
  type TestServer,
} from '@redoubt/testkit';
import { answerFormatOf } from './answer-format.ts';

const calls = [
  ['/query/lucene', { expression: '*:*', limit: -1 }],
  ['/read', { batchSize: -1 }],
  ['/readInSequence', { batchSize: -1 }],
] as const;

describe('records in other formats than JSON', () => {
  let server: TestServer;
  let desk: RecordDesk;
  let datasetId: string;
  let token: string;

  before(async () => {
    server = await startServer();
    desk = await createRecordDesk(server);
    datasetId = await desk.dataset();
    token = await desk.reader('B');
    for (const record of [
      { n: 1, word: 'a "b"' },
      { n: 2, word: '' },
      { n: 'zebra', secret: 1, label: 'A' },
    ]) {
      bodyOf(200, await desk.write(datasetId, [record], { labelInfo: labelField }));
    }
  });
  after(() => server.close());

  const ask = async (
    path: string,
    options: object,
    accept: string,
    as = token,
  ): Promise<{ status: number; headers: Headers; bytes: Buffer }> => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', accept },
      body: JSON.stringify({ datasetId, ...options }),
    });
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };

  for (const [path, options] of calls) {
    test(`${path} answers NDJSON, CSV, Arrow and Parquet by Accept, and nothing hidden in any`, async () => {
      const starts = {
        'application/x-ndjson': '{"n":1,"word":"a \\"b\\""}\n{"n":2,"word":""}\n',
        'text/csv': '"n","word"\r\n1,"a ""b"""\r\n2,""\r\n',
        'application/vnd.apache.arrow.stream': '\u00ff\u00ff\u00ff\u00ff',
        'application/vnd.apache.parquet': 'PAR1',
      };
      for (const [accept, start] of Object.entries(starts)) {
        const { status, headers, bytes } = await ask(path, options, accept);
        assert.equal(status, 200, bytes.toString());
        assert.equal(headers.get('content-type')?.split(';')[0], accept);
        assert.equal(headers.get('redoubt-total'), '2');
        const text = bytes.toString('latin1');
        assert.ok(text.startsWith(start), text.slice(0, 100));
        for (const hidden of ['zebra', 'secret', 'label']) assert.ok(!text.includes(hidden), hidden);
        if (!accept.startsWith('application/vnd')) assert.equal(text, start);
      }
    });
  }

  test('an Accept that names no format of ours is answered in JSON, and errors always are', async () => {
    for (const accept of ['*/*', 'text/html', 'application/json', 'image/png, application/*']) {
      const { headers, bytes } = await ask('/read', {}, accept);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal((JSON.parse(bytes.toString()) as { total: number }).total, 2);
    }
    const refused = await ask('/read', { datasetId: 'unknown' }, 'text/csv');
    assert.deepEqual(
      [refused.status, refused.headers.get('content-type')],
      [404, 'application/json; charset=utf-8'],
    );
    const wrong = await ask('/query/lucene', { expression: 'a:[' }, 'application/vnd.apache.parquet');
    assert.equal(wrong.status, 400);
    assert.equal((JSON.parse(wrong.bytes.toString()) as { name: string }).name, 'LuceneParseError');
  });

  test('limits, offsets and internal fields hold in every format', async () => {
    const { bytes } = await ask('/query/lucene', { expression: '*:*', limit: 1, offset: 1 }, 'text/csv');
    assert.equal(bytes.toString(), '"n","word"\r\n2,""\r\n');
    const lines = await ask('/read', { batchSize: 1, includeInternalRecordId: true }, 'application/x-ndjson');
    assert.match(lines.bytes.toString(), /^\{"n":1,.*"_koverse_record_id":"[^"]+"\}\n$/);
    const none = await ask('/query/lucene', { expression: 'n:7' }, 'application/x-ndjson');
    assert.deepEqual([none.bytes.length, none.headers.get('redoubt-total')], [0, '0']);
  });
});

test('Accept is read with its weights: the heaviest format, and the first of those that weigh the same', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'json'],
    ['', 'json'],
    ['text/csv, application/json', 'csv'],
    ['application/json, text/csv', 'json'],
    ['text/csv;q=0.5, application/vnd.apache.parquet;q=0.9', 'parquet'],
    ['TEXT/CSV; header=present', 'csv'],
    ['text/csv;q=0', 'json'],
    ['text/csv;q=x', 'json'],
    ['__proto__', 'json'],
  ];
  for (const [accept, format] of cases) assert.equal(answerFormatOf(accept), format, accept);
});
