/* Shows: A-typed-columns */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseLucene, quoteString } from '@redoubt/query';
import type { FileReadRequest } from '../store/file-reads.ts';
import { openTestStore, type TestStore } from '../../testing/test-store.ts';
import type { TableFormat } from './table-format.ts';

let fixture: TestStore;
/** A store with short pages, which looks up many pages at once. */
let pages: TestStore;
let folder: string;
before(async () => {
  fixture = await openTestStore();
  pages = await openTestStore({ tablePageBytes: 20_000 });
  folder = mkdtempSync(join(tmpdir(), 'redoubt-formats-'));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await pages.close();
  await fixture.close();
});

const labelInfo = {
  parserClassName: 'identity-parser',
  fields: ['label'],
  labelHandlingPolicy: 'ignore',
} as const;

type Options = Partial<Pick<FileReadRequest, 'internalFields' | 'limit'>> & {
  attributes?: string[];
  search?: string;
  offset?: number;
  home?: TestStore;
};

async function fileOf(datasetId: string, format: TableFormat, options: Options = {}): Promise<Buffer> {
  const { attributes = [], search, offset = 0, limit = -1, internalFields, home = fixture } = options;
  const visible = await home.visible(datasetId, ...attributes);
  const schema = await home.store.schema(datasetId, visible, {});
  const base = { datasetId, visible, schema, format, limit, internalFields };
  const read = search === undefined ? base : { ...base, tree: parseLucene(search), offset };
  const pieces: Uint8Array[] = [];
  for await (const piece of home.store.table(read)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const engineNames = { arrow: 'ArrowStream', parquet: 'Parquet', csv: 'CSVWithNames' };

const query = async (sql: string): Promise<Record<string, unknown>[]> => {
  const text = await fixture.engine.text(sql, {
    lane: 'short',
    format: 'JSONEachRow',
    settings: {
      output_format_json_quote_decimals: 1,
      output_format_json_quote_64bit_integers: 1,
      engine_file_empty_if_not_exists: 0,
      // Otherwise the engine reads the row groups of a file in parallel and returns rows in any order.
      input_format_parquet_preserve_order: 1,
      max_threads: 1,
    },
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

/** Reads a file with the engine. Returns its rows, and the types of its columns. */
async function decoded(
  file: Buffer,
  format: 'arrow' | 'parquet',
): Promise<{ rows: unknown[]; types: Record<string, string> }> {
  const path = join(folder, `table.${format}`);
  writeFileSync(path, file);
  const source = `file(${quoteString(path)}, '${engineNames[format]}')`;
  const columns = await query(`DESCRIBE ${source}`);
  return {
    rows: await query(`SELECT * FROM ${source}`),
    types: Object.fromEntries(columns.map(({ name, type }) => [String(name), String(type)])),
  };
}

const everyType = [
  '{"whole":9223372036854775807,"half":0.5,"exact":12345678901234567890123,"yes":true,"word":"a \\"b\\",\\nc","at":"2024-02-29T12:00:00.5+02:00","tree":{"x":[1.0]}}',
  '{"whole":-1,"half":3,"exact":-0.25,"yes":false,"word":"","at":"1969-12-31","tree":[null]}',
  '{"whole":null,"record_id":"mine","label_id":"x"}',
];

for (const format of ['arrow', 'parquet'] as const) {
  test(`a file of ${format} has a typed column for each field, and each value exactly`, async () => {
    const datasetId = await fixture.dataset();
    for (const record of everyType) await fixture.write(datasetId, `[${record}]`);
    const { rows, types } = await decoded(await fileOf(datasetId, format), format);
    const none = { at: null, exact: null, half: null, tree: null, whole: null, word: null, yes: null };
    assert.deepEqual(rows, [
      {
        at: '2024-02-29 10:00:00.500000',
        exact: '12345678901234567890123',
        half: 0.5,
        label_id: null,
        record_id: null,
        tree: '{"x":[1.0]}',
        whole: '9223372036854775807',
        word: 'a "b",\nc',
        yes: true,
      },
      {
        at: '1969-12-31 00:00:00.000000',
        exact: '-0.25',
        half: 3,
        label_id: null,
        record_id: null,
        tree: '[null]',
        whole: '-1',
        word: '',
        yes: false,
      },
      { ...none, label_id: 'x', record_id: 'mine' },
    ]);
    assert.deepEqual(types, {
      at: "Nullable(DateTime64(6, 'UTC'))",
      exact: 'Nullable(Decimal(76, 20))',
      half: 'Nullable(Float64)',
      label_id: 'Nullable(String)',
      record_id: 'Nullable(String)',
      tree: 'Nullable(String)',
      whole: 'Nullable(Int64)',
      word: 'Nullable(String)',
      yes: 'Nullable(Bool)',
    });
  });

  test(`a file of ${format} that was made of several pages is one file with all rows in order`, async () => {
    const size = 20_000;
    // When records become long, the store must drop the pages that it has looked up and look up shorter ones.
    const records = Array.from({ length: size }, (_, n) => ({
      n,
      word: `word ${String(n % 700)}${n % 9000 > 8500 ? 'long '.repeat(200) : ''}`,
    }));
    for (const home of [fixture, pages]) {
      const datasetId = await home.dataset();
      for (let from = 0; from < size; from += 6000)
        await home.write(datasetId, records.slice(from, from + 6000));
      const inOrder = (await home.records(datasetId)).map(({ n, word }) => ({ n: String(n), word }));
      const { rows } = await decoded(await fileOf(datasetId, format, { home }), format);
      assert.ok(isDeepStrictEqual(rows, inOrder));
      for (const limit of [1000, 15_000]) {
        const found = await fileOf(datasetId, format, { home, search: 'word', offset: 300, limit });
        assert.ok(isDeepStrictEqual((await decoded(found, format)).rows, inOrder.slice(300, 300 + limit)));
      }
    }
  });

  test(`L21: a file of ${format} holds no value, field or type that only hidden records have`, async () => {
    const datasetId = await fixture.dataset();
    const records = Array.from({ length: 1000 }, (_, n) => ({ n, word: `open ${String(n)}` }));
    const hidden = records.map(() => ({ n: 'zebra', word: 'zebra', secret: 'zebra', label: 'SECRET' }));
    for (let from = 0; from < 1000; from += 250) {
      const part = records.slice(from, from + 250).flatMap((record, at) => [record, hidden[at]]);
      await fixture.write(datasetId, part, { labelInfo });
    }
    for (const search of [undefined, 'NOT giraffe']) {
      const file = await fileOf(datasetId, format, search === undefined ? {} : { search });
      for (const text of ['zebra', 'secret', 'SECRET']) assert.equal(file.includes(text), false, text);
      const { rows, types } = await decoded(file, format);
      assert.equal(rows.length, 1000);
      assert.equal(JSON.stringify(rows).includes('zebra'), false);
      assert.deepEqual(types, { n: 'Nullable(Int64)', word: 'Nullable(String)' });
    }
    const seen = await decoded(await fileOf(datasetId, format, { attributes: ['SECRET'] }), format);
    assert.equal(seen.rows.length, 2000);
    assert.equal(seen.types['n'], 'Nullable(String)');
  });

  test(`L21: a file of ${format} is the same byte for byte whatever hidden records lie between those that are seen`, async () => {
    for (const home of [fixture, pages]) {
      const [alone, among] = [await home.dataset(), await home.dataset()];
      // All records are equal, because the order of records in one write is random.
      const seen = Array.from({ length: 10_000 }, () => ({ n: 7, word: 'open' }));
      await home.write(alone, seen);
      const hidden = { n: 7, word: 'zebra', label: 'SECRET' };
      for (let from = 0; from < seen.length; from += 2500) {
        const some = seen.slice(from, from + 2500).flatMap((record) => [record, hidden]);
        await home.write(among, some, { labelInfo });
      }
      const file = await fileOf(alone, format, { home });
      assert.equal((await decoded(file, format)).rows.length, 10_000);
      assert.equal(file.equals(await fileOf(among, format, { home })), true);
    }
  });

  test(`L14, L21: a file of ${format} has the same pages however long it takes to look them up`, async () => {
    const slow = await pages.reopen({
      ...pages.engine,
      text: async (sql, options) => {
        if (sql.includes('rowNumberInAllBlocks')) await sleep(30);
        return pages.engine.text(sql, options);
      },
    });
    const [alone, among] = [await pages.dataset(), await pages.dataset()];
    const hidden = { word: 'zebra', label: 'SECRET' };
    for (const word of ['short', 'long '.repeat(100), 'short']) {
      const seen = Array.from({ length: 4000 }, () => ({ word }));
      await pages.write(alone, seen);
      await pages.write(
        among,
        seen.flatMap((record) => [record, hidden]),
        { labelInfo },
      );
    }
    const file = await fileOf(alone, format, { home: pages });
    assert.equal((await decoded(file, format)).rows.length, 12_000);
    assert.equal(file.equals(await fileOf(among, format, { home: slow })), true);
    await slow.store.close();
  });

  test(`a file of ${format} whose pages would need too much memory has shorter ones`, async () => {
    const small = await openTestStore({ queryMemoryBytes: 60_000_000, tablePageBytes: 2_000_000 });
    const datasetId = await small.dataset();
    await small.write(
      datasetId,
      Array.from({ length: 600 }, (_, n) => ({ n, word: '' })),
    );
    const long = 'long '.repeat(2000);
    for (let from = 600; from < 3000; from += 600)
      await small.write(
        datasetId,
        Array.from({ length: 600 }, (_, at) => ({ n: from + at, word: long })),
      );
    const inOrder = (await small.records(datasetId)).map(({ n }) => String(n));
    for (const search of [undefined, 'n:*']) {
      const options = { home: small, ...(search === undefined ? {} : { search }) };
      const { rows } = await decoded(await fileOf(datasetId, format, options), format);
      assert.deepEqual(
        rows.map((row) => (row as { n: unknown }).n),
        inOrder,
      );
    }
    await small.close();
  });

  test(`a file of ${format} without records has its columns and no rows`, async () => {
    const datasetId = await fixture.dataset();
    const empty = await decoded(await fileOf(datasetId, format), format);
    assert.deepEqual(empty, { rows: [], types: { _koverse_record_id: 'String' } });
    await fixture.write(datasetId, [{ a: 1 }]);
    const none = await decoded(await fileOf(datasetId, format, { search: 'a:2' }), format);
    assert.deepEqual(none, { rows: [], types: { a: 'Nullable(Int64)' } });
  });
}

test('CSV quotes after RFC 4180, tells null from the empty text, and writes values as they are', async () => {
  const datasetId = await fixture.dataset();
  for (const record of everyType) await fixture.write(datasetId, `[${record}]`);
  await fixture.write(datasetId, [{ word: '=1+1', 'a "field",': 'x' }]);
  assert.equal(
    (await fileOf(datasetId, 'csv')).toString(),
    [
      '"a ""field"",","at","exact","half","label_id","record_id","tree","whole","word","yes"',
      ',"2024-02-29T10:00:00.500000Z",12345678901234567890123,0.5,,,"{""x"":[1.0]}",9223372036854775807,"a ""b"",\nc",true',
      ',"1969-12-31T00:00:00.000000Z",-0.25,3,,,"[null]",-1,"",false',
      ',,,,"x","mine",,,,',
      '"x",,,,,,,,"=1+1",',
      '',
    ].join('\r\n'),
  );
});

test('internal fields are columns of a table only if they are requested', async () => {
  const datasetId = await fixture.dataset();
  await fixture.write(datasetId, [{ a: 1 }]);
  await fixture.write(datasetId, [{ a: 2, label: 'A' }], { labelInfo });
  const [first, second] = await fixture.records(datasetId, 'A');
  const all = await fileOf(datasetId, 'csv', { attributes: ['A'], internalFields: 'all' });
  const line = (record: Record<string, unknown> | undefined, label: string): string => {
    const time = String(record?.['_koverse_timestamp']).replace('Z', '000Z');
    return `"${String(record?.['_koverse_record_id'])}","${datasetId}","${time}","${label}"`;
  };
  assert.deepEqual(all.toString().split('\r\n'), [
    '"a","label","_koverse_record_id","_koverse_dataset_id","_koverse_timestamp","_koverse_security_label"',
    `1,,${line(first, '')}`,
    `2,"A",${line(second, 'A')}`,
    '',
  ]);
  const ids = await fileOf(datasetId, 'csv', { internalFields: 'record-id' });
  assert.equal(
    ids.toString(),
    `"a","_koverse_record_id"\r\n1,"${String(first?.['_koverse_record_id'])}"\r\n`,
  );
});
