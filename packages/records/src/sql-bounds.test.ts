import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findNamed, parseSql } from '@redoubt/query';
import { openTestStore, textOf, type TestStore } from '../testing/test-store.ts';

let fixture: TestStore;
before(async () => {
  fixture = await openTestStore();
});
after(async () => {
  await fixture.close();
});

/** Runs a statement over a new dataset `ds` with these records. */
async function resultOf(records: string, statement: string): Promise<string> {
  const id = await fixture.dataset();
  await fixture.write(id, records);
  const visible = await fixture.visible(id);
  const source = { id, name: 'ds', visible, fields: await fixture.store.fields(id, visible) };
  const { rows } = await fixture.store.sql({
    parsed: await parseSql(statement),
    find: (name) => findNamed([source], (known) => known.name, name),
    limit: -1,
    offset: 0,
    now: new Date('2024-05-06T07:08:09.123Z'),
  });
  return textOf(rows);
}

/** The rows of a result. Numbers become texts, so that none is rounded. */
async function rowsOf(records: string, statement: string): Promise<unknown> {
  const text = await resultOf(records, statement);
  return JSON.parse(`[${text.replaceAll(/:(-?[\d.]+)/g, ':"$1"')}]`);
}

/** A row of columns `c0`, `c1` and so on. */
const row = (...values: (string | null)[]): unknown =>
  Object.fromEntries(values.map((value, at) => [`c${String(at)}`, value]));

const [least, most] = ['-9223372036854775808', '9223372036854775807'];

test('adding or subtracting a literal gives NULL exactly where a bigint would overflow', async () => {
  const sums = [
    'x + 1',
    '1 + x',
    'x - 1',
    'x + (-1)',
    'x - (-1)',
    'x + 0',
    'x - 9223372036854775807',
    '-9223372036854775807 + x',
    'x + 9223372036854775807',
  ];
  const shown = sums.map((sum, at) => `${sum} AS c${String(at)}`).join(', ');
  const result = await rowsOf(
    `[{"x":${least}},{"x":${most}},{"x":-1}]`,
    `SELECT ${shown} FROM ds ORDER BY x`,
  );
  const [afterLeast, beforeMost] = ['-9223372036854775807', '9223372036854775806'];
  assert.deepEqual(result, [
    row(afterLeast, afterLeast, null, null, afterLeast, least, null, null, '-1'),
    row('0', '0', '-2', '-2', '0', '-1', least, least, beforeMost),
    row(null, null, beforeMost, beforeMost, null, most, '0', '0', null),
  ]);
});

test('sums and averages of whole numbers are exact beyond 64 bits, and NULL where there are none', async () => {
  const records = `[{"k":1,"x":${most}},{"k":1,"x":${most}},{"k":2,"x":${least}},{"k":2,"x":${least}},{"k":3}]`;
  const result = await rowsOf(
    records,
    'SELECT k, sum(x) AS total, avg(x) AS mean, avg(length(CAST(x AS text))) AS digits FROM ds GROUP BY k ORDER BY k',
  );
  assert.deepEqual(result, [
    { k: '1', total: '18446744073709551614', mean: most, digits: '19' },
    { k: '2', total: '-18446744073709551616', mean: least, digits: '20' },
    { k: '3', total: null, mean: null, digits: null },
  ]);
  assert.deepEqual(await rowsOf(records, 'SELECT sum(x) AS total, avg(k) AS mean FROM ds WHERE k > 3'), [
    { total: null, mean: null },
  ]);
});

test('substring with a regular expression may return an empty text, and returns NULL without a match', async () => {
  const records = '[{"n":1,"t":"a-x"},{"n":2,"t":"a-"},{"n":3,"t":"b"},{"n":4}]';
  const result = await rowsOf(
    records,
    `SELECT n, substring(t FROM '^a-([a-z]*)') AS part FROM ds ORDER BY n`,
  );
  assert.deepEqual(result, [
    { n: '1', part: 'x' },
    { n: '2', part: '' },
    { n: '3', part: null },
    { n: '4', part: null },
  ]);
});

test('deviations of numbers with nineteen digits after the point are exact', async () => {
  const result = await rowsOf(
    '[{"x":1},{"x":5}]',
    'SELECT stddev_pop(CAST(x AS numeric(30, 19))) AS root, var_pop(CAST(x AS numeric(30, 19))) AS square FROM ds',
  );
  assert.deepEqual(result, [{ root: '2', square: '4' }]);
});

test('if a record has a key twice, the first value counts, wherever it is used', async () => {
  const result = await rowsOf(
    '[{"x":{"a":1,"bb":0,"a":2,"c":"a"}}]',
    `SELECT x -> 'a' AS c0, x @> '{"a":1}' AS c1, k AS c2, v AS c3 FROM ds, jsonb_each_text(x) e(k, v) ORDER BY k`,
  );
  assert.deepEqual(result, [
    { ...(row('1') as object), c1: true, c2: 'a', c3: '1' },
    { ...(row('1') as object), c1: true, c2: 'bb', c3: '0' },
    { ...(row('1') as object), c1: true, c2: 'c', c3: 'a' },
  ]);
});

/** An object that holds a number at several places, and dates and keys that look like numbers. */
const holding = (n: string): string =>
  `{"at":"2024-01-01T00:00:00.000Z","o":{"n":${n}},"l":[${n},${n}],"last":${n}}`;

test('numbers inside objects and arrays are returned as they were written', async () => {
  const numbers = ['1.50', '-0', '-0.0', '1e5', '-1.5E+300', '12345678901234567890', '0.00001', '10.0', '7'];
  const result = await resultOf(
    `[${numbers.map((n, i) => `{"id":${String(i)},"k":${holding(n)}}`).join(',')}]`,
    "SELECT k, k -> 'o' AS o, k -> 'l' -> 1 AS l, k -> 'last' AS e, v FROM ds, jsonb_array_elements(k -> 'l') WITH ORDINALITY x(v, i) WHERE i = 1 ORDER BY id",
  );
  const expected = numbers.map((n) => `{"k":${holding(n)},"o":{"n":${n}},"l":${n},"e":${n},"v":${n}}`);
  assert.equal(result, expected.join(','));
});
