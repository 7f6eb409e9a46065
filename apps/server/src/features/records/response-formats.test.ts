/* Shows: A-formats */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createRecordFixture, labelField, bodyOf, type RecordFixture } from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';
import { negotiateFormat } from './response-format.ts';

const calls = [
  ['/query/lucene', { expression: '*:*', limit: -1 }],
  ['/read', { batchSize: -1 }],
  ['/readInSequence', { batchSize: -1 }],
] as const;

/** The columns that every row shares; `isOne` is whether the row is the first. */
const rest = (isOne: boolean): string =>
  `"1950-01-31","1960-01-01T00:00:00.250000Z","1 day 02:00:00",${String(isOne)},,12345678901234567890.5,"a\tb\\'"`;

describe('records in other formats than JSON', () => {
  let server: SharedServer;
  let fixture: RecordFixture;
  let datasetId: string;
  let token: string;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
    datasetId = await fixture.dataset();
    token = await fixture.reader('B');
    for (const record of [
      { n: 1, word: 'a "b"' },
      { n: 2, word: '' },
      { n: 'zebra', secret: 1, label: 'A' },
    ]) {
      bodyOf(200, await fixture.write(datasetId, [record], { labelInfo: labelField }));
    }
  });

  const callsOf = () =>
    [...calls, ['/query', { expression: `SELECT * FROM "${datasetId}"`, limit: -1 }]] as const;

  const query = async (
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

  for (const [index, name] of [...calls.map(([path]) => path), '/query'].entries()) {
    test(`${name} responds in NDJSON, CSV, Arrow and Parquet by Accept, without hidden data in any`, async () => {
      const [path, options] = callsOf()[index]!;
      const starts = {
        'application/x-ndjson': '{"n":1,"word":"a \\"b\\""}\n{"n":2,"word":""}\n',
        'text/csv': '"n","word"\r\n1,"a ""b"""\r\n2,""\r\n',
        'application/vnd.apache.arrow.stream': '\u00ff\u00ff\u00ff\u00ff',
        'application/vnd.apache.parquet': 'PAR1',
      };
      for (const [accept, start] of Object.entries(starts)) {
        const { status, headers, bytes } = await query(path, options, accept);
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

  test('an Accept header without a supported format gets JSON, and errors are always JSON', async () => {
    for (const accept of ['*/*', 'text/html', 'application/json', 'image/png, application/*']) {
      const { headers, bytes } = await query('/read', {}, accept);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal((JSON.parse(bytes.toString()) as { total: number }).total, 2);
    }
    const refused = await query('/read', { datasetId: 'unknown' }, 'text/csv');
    assert.deepEqual(
      [refused.status, refused.headers.get('content-type')],
      [404, 'application/json; charset=utf-8'],
    );
    const wrong = await query('/query/lucene', { expression: 'a:[' }, 'application/vnd.apache.parquet');
    assert.equal(wrong.status, 400);
    assert.equal((JSON.parse(wrong.bytes.toString()) as { name: string }).name, 'LuceneParseError');
  });

  test('SQL rows come as typed columns under their names, with arrays as JSON text', async () => {
    const expression = `SELECT n + 1 AS "next", word, ARRAY[n, NULL] AS list, n / 3.0::double precision AS third, date '1950-01-31' AS day, timestamp '1960-01-01 00:00:00.25' AS "at", interval '1 day 2 hours' AS long, n = 1 AS "one", NULL AS nothing, 12345678901234567890.5 AS exact, E'a\\tb\\\\\\'' AS odd FROM "${datasetId}" ORDER BY n`;
    const csv = await query('/query', { expression }, 'text/csv');
    assert.equal(
      csv.bytes.toString(),
      [
        '"next","word","list","third","day","at","long","one","nothing","exact","odd"',
        `2,"a ""b""","[1,null]",${1 / 3},${rest(true)}`,
        `3,"","[2,null]",${2 / 3},${rest(false)}`,
        '',
      ].join('\r\n'),
    );
    assert.equal(csv.headers.get('redoubt-total'), '2');
    const lines = await query('/query', { expression, limit: 1, offset: 1 }, 'application/x-ndjson');
    assert.equal((JSON.parse(lines.bytes.toString()) as { next: number }).next, 3);
    for (const accept of ['application/vnd.apache.arrow.stream', 'application/vnd.apache.parquet']) {
      const none = await query(
        '/query',
        { expression: `SELECT n, word FROM "${datasetId}" WHERE n = 7` },
        accept,
      );
      assert.equal(none.status, 200, none.bytes.toString());
      for (const name of ['n', 'word']) assert.ok(none.bytes.includes(name));
    }
    const internal = { expression: `SELECT * FROM "${datasetId}" LIMIT 1`, includeInternalFields: true };
    const whole = await query('/query', internal, 'text/csv');
    assert.match(
      whole.bytes.toString(),
      /^"n","word","_koverse_record_id","_koverse_dataset_id","_koverse_timestamp","_koverse_security_label"\r\n1,"a ""b""","[^"]+","[^"]+","[^"]+",""\r\n$/,
    );
    const empty = await fixture.dataset();
    const columnless = await query('/query', { expression: `SELECT * FROM "${empty}"` }, 'text/csv');
    assert.equal(columnless.bytes.toString(), '"_koverse_record_id"\r\n');
  });

  test('a file of many pages from SQL has every row once, in the order of the statement', async () => {
    const many = await fixture.dataset();
    const size = 30_000;
    const records = Array.from({ length: size }, (_, n) => ({ n, word: `${'word '.repeat(40)}${n}` }));
    for (let from = 0; from < size; from += 5000) {
      bodyOf(200, await fixture.write(many, records.slice(from, from + 5000)));
    }
    const expression = `SELECT n, word FROM "${many}" ORDER BY n DESC`;
    const { bytes } = await query('/query', { expression, limit: -1 }, 'text/csv');
    const rows = records.toReversed().map(({ n, word }) => `${n},"${word}"\r\n`);
    assert.ok(bytes.toString() === `"n","word"\r\n${rows.join('')}`);
  });

  test('limits, offsets and internal fields apply in every format', async () => {
    const { bytes } = await query('/query/lucene', { expression: '*:*', limit: 1, offset: 1 }, 'text/csv');
    assert.equal(bytes.toString(), '"n","word"\r\n2,""\r\n');
    const lines = await query(
      '/read',
      { batchSize: 1, includeInternalRecordId: true },
      'application/x-ndjson',
    );
    assert.match(lines.bytes.toString(), /^\{"n":1,.*"_koverse_record_id":"[^"]+"\}\n$/);
    const none = await query('/query/lucene', { expression: 'n:7' }, 'application/x-ndjson');
    assert.deepEqual([none.bytes.length, none.headers.get('redoubt-total')], [0, '0']);
  });
});

test('the Accept header chooses the format with the greatest weight, and the first among equal weights', () => {
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
  for (const [accept, format] of cases) assert.equal(negotiateFormat(accept), format, accept);
});
