import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import { kindBit, kinds } from '../storage/record-columns.ts';
import { compileSql } from './compile-statement.ts';
import type { SqlDataset } from './statement/compilation-context.ts';
import { parseSql } from './statement/parse-sql.ts';

/** A dataset with one timestamp field and `labels` visible labels, whose ids start at `firstLabel`. */
function dataset(pathId: number, firstLabel: number, labels: number): SqlDataset {
  const ids = Uint32Array.from({ length: labels }, (_, index) => firstLabel + index);
  const bits = new Uint8Array(Math.ceil((firstLabel + labels) / 8));
  const visible = { version: firstLabel + labels, size: labels, ids, bits, has: () => true, hidden: [] };
  const entry = { pathId, kinds: kindBit(kinds.timestamp) };
  const fields = [{ path: 'at', type: 'timestamp' as const, entry, topLevel: true }];
  return { id: 'ds', name: 'ds', table: { database: 'redoubt', datasetId: 'ds' }, visible, fields };
}

/** A statement that repeats the text, because it names a WITH query with the text 20 times. */
function often(text: string): string {
  const names = Array.from({ length: 20 }, (_, index) => `p p${String(index)}`);
  return `WITH p AS (SELECT '${text}') SELECT at FROM ds, ${names.join(', ')}`;
}

/** A statement with the text in a subquery that is nested deeply inside an expression. */
function deep(text: string): string {
  let value = `EXISTS (SELECT 1 FROM ds WHERE at IS NULL AND '${text}' = 'y')`;
  for (let depth = 0; depth < 220; depth++) value = `(${value}) IS NULL`;
  return `SELECT at FROM ds WHERE ${value}`;
}

/** Whether a statement compiles. If not, checks that the error contains `reason`. */
async function isTaken(text: string, source: SqlDataset, reason = 'so large'): Promise<boolean> {
  const request = {
    parsed: await parseSql(text),
    catalog: { find: () => source },
    now: new Date(0),
    limit: 10,
    offset: 0,
    columns: 'plain' as const,
  };
  try {
    compileSql(request);
    return true;
  } catch (error) {
    assert.ok(error instanceof RedoubtError && error.message.includes(reason), String(error));
    return false;
  }
}

async function longest(source: SqlDataset, grown: (text: string) => string): Promise<number> {
  let [taken, refused] = [0, 250_000];
  while (refused - taken > 1) {
    const middle = (taken + refused) >> 1;
    if (await isTaken(grown('x'.repeat(middle)), source)) taken = middle;
    else refused = middle;
  }
  return taken;
}

for (const [grown, counts] of [
  [often, [1, 400]],
  [deep, [400]],
] as const) {
  test(`the size limit of statements does not disclose how many paths and labels exist: ${grown.name}`, async () => {
    for (const labels of counts) {
      const few = await longest(dataset(3, 0, labels), grown);
      assert.ok(few > 10_000 && few < 249_000, String(few));
      for (const other of [dataset(9876, 54_321, labels), dataset(98_765, 1_234_567, labels)]) {
        const taken = [few, few + 1].map((length) => isTaken(grown('x'.repeat(length)), other));
        assert.deepEqual(await Promise.all(taken), [true, false]);
      }
    }
  });
}

const mixed = kindBit(kinds.text) | kindBit(kinds.integer);
const textFields = (
  [
    ['info', 'jsonb', kindBit(kinds.object)],
    ['mixed', 'text', mixed],
    ['a.b', 'text', mixed],
  ] as const
).map(([path, type, seen]) => ({ path, type, entry: { pathId: 4, kinds: seen }, topLevel: true }));

/** A dataset with hidden columns and with fields whose values are read from the text of the record. */
function ofTexts(hidden: readonly string[]): SqlDataset {
  const source = dataset(3, 0, 1);
  return { ...source, visible: { ...source.visible, hidden }, fields: textFields };
}

const oftenTexts = (text: string): string =>
  often(text).replace('SELECT at', 'SELECT info, mixed, a.b, info -> 0');

test('the size limit of statements does not disclose hidden columns', async () => {
  const all = await longest(ofTexts([]), oftenTexts);
  assert.ok(all > 10_000 && all < 249_000, String(all));
  for (const hidden of [['other'], ['info.secret'], ['mixed.x', 'a.b.c', 'info.of.many.levels']]) {
    const taken = [all, all + 1].map((length) => isTaken(oftenTexts('x'.repeat(length)), ofTexts(hidden)));
    assert.deepEqual(await Promise.all(taken), [true, false], hidden.join());
  }
});

test('a literal that looks like the label predicate counts like any other', async () => {
  const source = dataset(3, 4711, 1);
  const tests = [4710, 4711].map((id) => `toUInt16(least(label_id, 65535)) IN (${String(id)})`);
  const [missed, right] = await Promise.all(
    tests.map((guess) => longest(source, (text) => often(guess.repeat(200) + text))),
  );
  assert.equal(right, missed);
});

test('a short statement cannot read a dataset in very many places', async () => {
  const source = dataset(3, 0, 1);
  const entry = { pathId: 4, kinds: kindBit(kinds.integer) };
  const ofNumbers = { ...source, fields: [{ path: 'n', type: 'bigint' as const, entry, topLevel: true }] };
  // The SQL of such a condition contains the subquery three times.
  let nested = 'n IS NULL';
  for (let depth = 0; depth < 5; depth++) nested = `(n IN (SELECT n FROM ds WHERE ${nested})) IS NULL`;
  assert.ok(await isTaken(`SELECT 1 AS one FROM ds WHERE ${nested}`, ofNumbers));
  assert.ok(!(await isTaken(`SELECT 1 AS one FROM ds WHERE ${nested} AND ${nested}`, ofNumbers)));
});

const nested = (depth: number): string =>
  Array.from({ length: depth }).reduce<string>(
    (inner) => `SELECT info FROM (${inner}) q`,
    'SELECT info FROM ds',
  );

const isNestedTaken = (depth: number, hidden: readonly string[]): Promise<boolean> =>
  isTaken(nested(depth), ofTexts(hidden), 'nested so deeply');

test('the depth limit of statements does not disclose hidden columns', async () => {
  let most = 0;
  while (await isNestedTaken(most + 1, [])) most += 1;
  assert.ok(most > 50, String(most));
  for (const hidden of [['other'], ['info.secret'], ['info.of.many.levels', 'a.b.c']])
    assert.deepEqual(
      [await isNestedTaken(most, hidden), await isNestedTaken(most + 1, hidden)],
      [true, false],
    );
});

/** Nested queries. Each of them names the column of the query inside it several times. */
const layered = (levels: number, value: (name: string) => string): string =>
  Array.from({ length: levels }).reduce<string>(
    (query) => `SELECT ${value('x')} AS x FROM (${query}) t`,
    'SELECT at, 7 / 3.0 AS x FROM ds',
  );

const ofTen = (name: string): string => `coalesce(${Array.from({ length: 10 }, () => name).join(', ')})`;

test('the scale of a numeric is computed once for each query, however often it is used', async () => {
  const source = dataset(1, 1, 10);
  for (const value of [
    ofTen,
    (name: string) => `CASE WHEN ${name} > 3 THEN ${name} ELSE coalesce(${name}, 0.5) END`,
  ])
    assert.ok(await isTaken(`SELECT x::text FROM (${layered(15, value)}) u`, source));
});
