import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { columnExpression, type FieldType } from '@redoubt/query';
import { qualifyTable, tableName } from './store/record-table.ts';
import { openTestStore, type TestStore } from '../testing/test-store.ts';

let fixture: TestStore;
before(async () => {
  fixture = await openTestStore();
});
after(async () => fixture.close());

/** Stores the records and reads one path of them as its column, in the order in which they were written. */
async function column(
  path: string,
  records: readonly string[],
): Promise<{ type: FieldType | undefined; engineType: string; values: (string | null)[] }> {
  const datasetId = await fixture.dataset();
  for (const record of records) await fixture.write(datasetId, `[${record}]`);
  const schema = await fixture.store.schema(datasetId, await fixture.visible(datasetId), { nested: true });
  const type = schema[path]?.type;
  const paths = await fixture.catalog.paths(datasetId, 0);
  const known = paths.find((each) => each.path === path);
  assert.ok(known);
  const sql = columnExpression({ path, pathId: known.id, kinds: known.kinds }, type ?? 'text', 'raw');
  const table = qualifyTable(fixture.database, tableName(datasetId));
  const text = await fixture.engine.text(
    `SELECT toString(${sql}) AS v, toTypeName(${sql}) AS t FROM ${table} ORDER BY ingested_at, record_id`,
    { lane: 'short', format: 'JSONCompactEachRow' },
  );
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as [string | null, string]);
  return { type, engineType: rows[0]?.[1] ?? '', values: rows.map(([value]) => value) };
}

const cases: {
  name: string;
  path?: string;
  records: string[];
  type: FieldType;
  engineType: string;
  values: (string | null)[];
}[] = [
  {
    name: 'whole numbers',
    records: ['{"a":9223372036854775807}', '{"a":-9223372036854775808}', '{"a":null}', '{}', '{"a":-0}'],
    type: 'bigint',
    engineType: 'Nullable(Int64)',
    values: ['9223372036854775807', '-9223372036854775808', null, null, '0'],
  },
  {
    name: 'whole numbers beyond 64 bits with a sign',
    records: ['{"a":9223372036854775808}', '{"a":18446744073709551615}', '{"a":1}', '{}'],
    type: 'numeric',
    engineType: 'Nullable(Decimal(76, 20))',
    values: ['9223372036854775808', '18446744073709551615', '1', null],
  },
  {
    name: 'fractions among whole numbers',
    records: ['{"a":1.5}', '{"a":2}', '{"a":1e300}', '{"a":18446744073709551615}', '{"a":null}'],
    type: 'double precision',
    engineType: 'Nullable(Float64)',
    values: ['1.5', '2', '1e300', '18446744073709552000', null],
  },
  {
    name: 'big numbers',
    records: ['{"a":12345678901234567890123}', '{"a":-0.25}', '{"a":7}', '{"a":1e3}', '{}'],
    type: 'numeric',
    engineType: 'Nullable(Decimal(76, 20))',
    values: ['12345678901234567890123', '-0.25', '7', '1000', null],
  },
  {
    name: 'numbers that no numeric holds',
    records: ['{"a":1e400}', '{"a":0.10}', '{"a":1e-30}', '{"a":12345678901234567890123}', '{"a":3}'],
    type: 'text',
    engineType: 'Nullable(String)',
    values: ['1e400', '0.10', '1e-30', '12345678901234567890123', '3'],
  },
  {
    name: 'booleans',
    records: ['{"a":true}', '{"a":false}', '{"b":1}'],
    type: 'boolean',
    engineType: 'Nullable(Bool)',
    values: ['true', 'false', null],
  },
  {
    name: 'moments',
    records: [
      '{"a":"2024-02-29T12:00:00.123456789+02:00"}',
      '{"a":"0001-01-01"}',
      '{"a":"9999-12-31 23:59:59"}',
      '{"a":null}',
    ],
    type: 'timestamp',
    engineType: "Nullable(DateTime64(6, 'UTC'))",
    values: ['2024-02-29 10:00:00.123456', '0001-01-01 00:00:00.000000', '9999-12-31 23:59:59.000000', null],
  },
  {
    name: 'texts',
    records: ['{"a":"é\\n\\"x\\""}', '{"a":"2024-01-01"}', '{"a":""}', '{"a":null}'],
    type: 'text',
    engineType: 'Nullable(String)',
    values: ['é\n"x"', '2024-01-01', '', null],
  },
  {
    name: 'mixed values',
    records: [
      '{"a":"x"}',
      '{"a":1.50}',
      '{"a":true}',
      '{"a":{"k":[1.0,"1.0"]}}',
      '{"a":12345678901234567890123}',
      '{"a":null}',
    ],
    type: 'text',
    engineType: 'Nullable(String)',
    values: ['x', '1.50', 'true', '{"k":[1.0,"1.0"]}', '12345678901234567890123', null],
  },
  {
    name: 'objects and lists',
    records: [
      '{"a":{"x":1,"y":"n1 \\" s"}}',
      '{"a":[1.0,1e400,-0,"n5","s",true,null,"\\u0001"]}',
      '{"a":{}}',
      '{"a":null}',
      '{"z":"\\ud800","a":["ok"]}',
      '{"a":["a/b"],"b":0.00000015}',
    ],
    type: 'jsonb',
    engineType: 'Nullable(String)',
    values: [
      '{"x":1,"y":"n1 \\" s"}',
      '[1.0,1e400,-0,"n5","s",true,null,"\\u0001"]',
      '{}',
      null,
      '["ok"]',
      '["a/b"]',
    ],
  },
  {
    name: 'fields inside objects',
    path: 'a.b',
    records: ['{"a":{"b":5}}', '{"a.b":6}', '{"a":[{"b":7}]}', '{"a":{"b":"x"}}', '{"a":3}'],
    type: 'text',
    engineType: 'Nullable(String)',
    values: ['5', '6', null, 'x', null],
  },
  {
    name: 'fields of names that the document has no path for',
    path: 'a:b',
    records: ['{"a:b":"x\\ny"}', '{"a:b":5.0}', '{"a:b":null}', '{"a:b":true}', '{"c":{"a:b":1}}'],
    type: 'text',
    engineType: 'Nullable(String)',
    values: ['x\ny', '5.0', null, 'true', null],
  },
];

for (const { name, path = 'a', records, type, engineType, values } of cases) {
  test(`columns of ${name} hold each value exactly, or are of another type`, async () => {
    assert.deepEqual(await column(path, records), { type, engineType, values });
  });
}

test('a value that a column cannot hold because its type is not known yet is null, not an error', async () => {
  const datasetId = await fixture.dataset();
  await fixture.write(datasetId, [{ a: 'text' }, { a: { b: 1 } }, { a: [1] }, { a: 1e300 }]);
  const table = qualifyTable(fixture.database, tableName(datasetId));
  for (const path of ["o'd:d", 'x.y.z.w.v', '']) {
    for (const type of [
      'bigint',
      'boolean',
      'double precision',
      'numeric',
      'timestamp',
      'text',
      'jsonb',
    ] as const) {
      const sql = columnExpression({ path, pathId: 77, kinds: 0xffff }, type, 'raw');
      const result = await fixture.engine.text(`SELECT countIf(isNotNull(${sql})) FROM ${table}`, {
        lane: 'short',
      });
      assert.equal(result.trim(), '0', `${path} ${type}`);
    }
  }
});
