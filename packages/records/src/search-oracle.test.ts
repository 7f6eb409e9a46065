/* Shows: A-lucene-oracle */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { isHighlighted, matchesLucene } from '@redoubt/query/testing';
import { parseLucene } from '@redoubt/query';
import { createColumnStripper } from './columns/strip-columns.ts';
import { tableName } from './store/record-table.ts';
import { openTestStore, type TestStore } from '../testing/test-store.ts';

let t: TestStore;
before(async () => {
  t = await openTestStore();
});
after(async () => {
  await t.close();
});

const texts = fc.constantFrom(
  'foo',
  'Foo bar',
  'foo-bar baz',
  'bar foo',
  '',
  '---',
  '東京都',
  '京都 foo',
  'é',
  'e\u0301',
  'ÉCOLE',

  'ΟΔΟΣ',
  'οδος',
  'straße',
  'STRASSE',
  'ſoo',
  'K',
  'İx',
  '2024-01-01',
  '2024-01-01T10:00:00Z',
  '2024-02-30',

  '2023-12-31T23:59:59.999999Z',
  '2024-01-01 10:00+02:00',
  '2024',
  '1',
  '1.0',
  '-5',
  'true',
  'a.b',
  'a\u0000b',

  'a\tb\nc',
  'x  y',
  '\u0001',
  '💩 foo',
  '\ud800a',
  'zebra',
  '192.168.1.1',
  'joe@example.com',
  "it's",
  'b\\s',

  '`q`',
  '"q"',
  'a*b',
  'a?b',
  '/x/y',
  '1e400',
  'foo\u00a0bar',
  'ａｂｃ',
  'ﬁ',
  'नमस्ते',
  'กำลัง',
  '9007199254740993',
);
const numbers = fc.constantFrom(
  '0',
  '-0',
  '1',
  '1.0',
  '-5',
  '5',
  '5.5',
  '1e5',
  '100000',
  '9007199254740993',
  '9007199254740992',

  '9007199254740993.0',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '0.1',
  '-0.0',

  '18446744073709551616',
  '-9223372036854775808',
  '-9223372036854775809',
  '1e400',
  '-1e400',
  '10e399',
  '1e-7',
  '1e-400',
  '123456789012345678901234567890',
  '3.14',
  '2024',
  '1E5',
  '1e21',
  '12345678901234567890123',
);
const keys = fc.constantFrom('a', 'b', 'c.d', 'c', 'd', 'we ird', '', 'a.', 'x[]', 't:i', 'q`t', '%', "i's");
const paths = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'c.d',
  'a.b',
  'b.a',
  'c.d.a',
  'we ird',
  '',
  'a.',
  'a..b',
  'x[]',
  't:i',
  'q`t',
  '%',
  "i's",
  'nope',
  'a.a',
  'b.b',
  'x[].a',
  'd.d',
  'id',
  'code',
  'code',
  'code',
);

const objectText = (members: [string, string][]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 4, arbitrary: texts.map((text) => JSON.stringify(text)) },
    { weight: 3, arbitrary: numbers },
    { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null') },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`) },
    { weight: 2, arbitrary: fc.array(fc.tuple(keys, tie('value')), { maxLength: 3 }).map(objectText) },
  ),
}));
/** ASCII texts only: searches use another expression for paths that have no other texts. */
const plainTexts = fc.constantFrom(
  'foo',
  'Foo-bar',
  'BAR foo',
  'foobar',
  'x_foo',
  '1.0',
  'true',
  '',
  '--',
  '2024-01-01',
);
const plain = fc.oneof(
  plainTexts.map((text) => JSON.stringify(text)),
  fc
    .array(fc.oneof(plainTexts, fc.constant(true), fc.constant(5)), { maxLength: 3 })
    .map((items) => JSON.stringify(items)),
);
const members = fc
  .tuple(fc.array(fc.tuple(keys, value), { maxLength: 5 }), fc.option(plain))
  .map(([others, code]): [string, string][] => (code === null ? others : [...others, ['code', code]]));

const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&');
const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
const onField = paths.filter((path) => path !== '').map((path) => `${escaped(path)}:`);
const onAnyField = fc.oneof({ weight: 4, arbitrary: onField }, { weight: 1, arbitrary: fc.constant('') });

/** A text in which a wildcard is inserted or replaces a character. */
const wildcards = fc
  .tuple(fc.oneof(texts, numbers), fc.nat({ max: 20 }), fc.nat({ max: 1 }), fc.constantFrom('*', '?', '*?'))
  .map(([text, place, removed, sign]) => {
    const characters = Array.from(text);
    const at = place % (characters.length + 1);
    return (
      escaped(characters.slice(0, at).join('')) + sign + escaped(characters.slice(at + removed).join(''))
    );
  });

const literal = (text: string): string =>
  Array.from(text, (character) =>
    /[\p{L}\p{N}\p{Cc}]/u.test(character) ? character : `\\${character}`,
  ).join('');
const { regex } = fc.letrec<{ regex: string }>((tie) => ({
  regex: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    { weight: 4, arbitrary: texts.filter((text) => text.isWellFormed()).map(literal) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        '.',
        '.*',
        '[a-fé]',
        '[^a-d]',
        '\\d',
        '[ -~]+',
        '\\w+',
        '\\S*',
        '[\\s\\d]?',
        '[À-ž]+',
        '\\W',
      ),
    },
    { weight: 1, arbitrary: fc.tuple(tie('regex'), tie('regex')).map(([a, b]) => `(${a}|${b})`) },
    { weight: 1, arbitrary: fc.tuple(tie('regex'), tie('regex')).map(([a, b]) => a + b) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('regex'), fc.constantFrom('*', '?', '+', '{1,3}'))
        .map(([a, sign]) => `(${a})${sign}`),
    },
  ),
}));

const bounds = fc.oneof(
  texts,
  numbers,
  fc.constantFrom('2024', '2024-01', '2024-01-01', '2023-12-31', '2024-01-01T10:00', '2024-13'),
);
const side = fc.option(bounds).map((bound) => (bound === null ? '*' : quoted(bound)));
const leaf = fc.oneof(
  fc.tuple(onAnyField, fc.oneof(texts, numbers)).map(([field, text]) => field + quoted(text)),
  fc.tuple(onField, numbers).map(([field, number]) => field + number),
  fc.tuple(onAnyField, wildcards).map(([field, pattern]) => field + pattern),
  fc.tuple(onAnyField, regex).map(([field, pattern]) => `${field}/${pattern}/`),
  fc
    .tuple(onField, fc.constantFrom('[', '{'), side, side, fc.constantFrom(']', '}'))
    .map(([field, open, lower, upper, close]) => `${field}${open}${lower} TO ${upper}${close}`),
  fc
    .tuple(onField, fc.constantFrom('>', '>=', '<', '<='), bounds)
    .map(([field, sign, bound]) => field + sign + quoted(bound)),
  paths.map((path) => `_exists_:${quoted(path)}`),
  onField.map((field) => `${field}*`),
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 3, arbitrary: leaf },
    {
      weight: 1,
      arbitrary: fc
        .array(
          fc.tuple(
            fc.constantFrom('', 'OR ', 'AND '),
            fc.constantFrom('', '', '+', '-', 'NOT '),
            tie('expression'),
          ),
          {
            minLength: 1,
            maxLength: 4,
          },
        )
        .map(
          (clauses) =>
            `(${clauses.map(([join, sign, inner], index) => (index === 0 ? '' : join) + sign + inner).join(' ')})`,
        ),
    },
  ),
}));

const fixed = [
  '{"name":"Foo-Bar BAZ","n":3.14,"when":"2024-06-15T12:00:00Z","tags":["Red Fox",5,"2023-05-05",9007199254740993]}',
  '{"name":"foo bar","n":9007199254740993,"when":"2024-06-16","tags":[],"a.b":1,"a":{"b":"zebra"}}',
  '{"name":"ÉCOLE Straße","n":18446744073709551615,"when":"soon","tags":[{"k":"Red"}],"a":{"b":"2024-01-01"}}',
  '{"name":"","n":-5,"when":null,"tags":[null,true,"---"],"a":{"b":[1e400,"x"]}}',
];

/** Searches, with the indexes of the matching records. */
const found: [string, number[]][] = [
  ['name:f*baz', [0]],
  ['name:/FOO.BAR BAZ/', [0]],
  ['name:/éco.*/', [2]],
  ['name:ÉC?LE', [2]],
  ['name:""', [3]],
  ['name:"FOO bar"', [0, 1]],
  ['name:[a TO z]', [1]],
  ['n:3.1*', [0]],
  ['n:/-\\d/', [3]],
  ['n:9007199254740993', [1]],
  ['n:9007199254740992', []],
  ['n:>9223372036854775807', [2]],
  ['n:[-5 TO 3.14]', [0, 3]],
  ['when:2024-06', [0, 1]],
  ['when:2024\\-06*', [0, 1]],
  ['when:[2024-06-15 TO 2024-06-15]', [0]],
  ['when:>=2024-06-15T12:00', [0, 1, 2]],
  ['when:{2023 TO 2024}', []],
  ['_exists_:when', [0, 1, 2]],
  ['tags:"red fox"', [0]],
  ['tags:r*x', [0]],
  ['tags:/red fox/', [0]],
  ['tags:9007199254740993', [0]],
  ['tags:9007199254740992', []],
  ['tags:>9007199254740992', [0]],
  ['tags:[2023 TO 2023]', [0]],
  ['tags:"---"', [3]],
  ['tags:true', [3]],
  ['_exists_:tags', [0, 1, 2, 3]],
  ['tags.k:red', [2]],
  ['a.b:1', [1]],
  ['a.b:zebra', [1]],
  ['a.b:10e399', [3]],
  ['a.b:[2024 TO 2024]', [2]],
  ['-a.b:*', [0]],
  ['-tags:red -name:""', [1, 2]],
];

for (const [expression, places] of found) {
  test(`the search ${expression} finds the records ${JSON.stringify(places)} of four, as the naive evaluator does`, async () => {
    const datasetId = await t.dataset();
    await t.write(datasetId, `[${fixed.join(',')}]`);
    const { texts: results, total } = await t.search(datasetId, expression);
    const expected = places.map((place) => fixed[place]!);
    assert.deepEqual(results, expected.toSorted());
    assert.equal(total, expected.length);
    const tree = parseLucene(expression);
    assert.deepEqual(
      fixed.filter((record) => matchesLucene(tree, record)),
      expected,
    );
  });
}

/** Labels, each with a handwritten check of the attributes that satisfy it. */
const labels: [string, (attributes: readonly string[]) => boolean][] = [
  ['', () => true],
  ['A', (held) => held.includes('A')],
  ['A&B', (held) => held.includes('A') && held.includes('B')],
  ['A|B', (held) => held.includes('A') || held.includes('B')],
  ['C', (held) => held.includes('C')],
];

async function merge(datasetId: string): Promise<void> {
  const table = tableName(datasetId);
  await t.engine.command(`OPTIMIZE TABLE ${t.database}.${table} FINAL`, { lane: 'short' });
  const indexed = await t.engine.text(
    `SELECT count(), countIf(secondary_indices_compressed_bytes > 0) FROM system.parts WHERE active AND database = '${t.database}' AND table = '${table}'`,
    { lane: 'short' },
  );
  assert.equal(indexed.trim(), '1\t1');
}

async function writeRandomly(): Promise<{ datasetId: string; records: string[] }> {
  const datasetId = await t.dataset();
  const records = fc
    .sample(members, 400)
    .map((found, index) => objectText([...found, ['id', String(index)]]));
  for (const [place, [label]] of labels.entries()) {
    const own = records.filter((_, index) => index % labels.length === place);
    const labelInfo = { label, parserClassName: 'apply-label-to-all-records-parser' };
    await t.write(datasetId, `[${own.join(',')}]`, label === '' ? {} : { labelInfo });
    // The merge gives the records so far a word index. Later records stay without one.
    if (place === 2) await merge(datasetId);
  }
  return { datasetId, records };
}

test('random searches by random readers find exactly the visible records that a naive evaluator finds', async () => {
  const { datasetId, records } = await writeRandomly();
  const readers = fc.constantFrom<readonly string[]>([], ['A'], ['B'], ['A', 'B'], ['A', 'B', 'C']);
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(expression, readers, async (text, attributes) => {
      const tree = parseLucene(text);
      const expected = records.filter((record, index) => {
        const [, isVisible] = labels[index % labels.length]!;
        return isVisible(attributes) && matchesLucene(tree, record);
      });
      const found = await t.search(datasetId, text, ...attributes);
      assert.deepEqual(found.texts, expected.toSorted());
      assert.equal(found.total, expected.length);
      for (const record of records)
        assert.equal(isHighlighted(tree, record), matchesLucene(tree, record), `${text} in ${record}`);
      if (expected.length > 0) compared++;
    }),
    { numRuns: 200 },
  );
  assert.ok(compared > 20, `only ${String(compared)} searches found anything`);
});

test('random searches by readers with hidden columns find what a naive evaluator finds in the visible data', async () => {
  const { datasetId, records } = await writeRandomly();
  const columns = { a: 'A', 'c.d': 'B', d: 'C', 'b.a': 'A&B' };
  t.labelColumns(datasetId, columns);
  const readers = fc.constantFrom<readonly string[]>([], ['A'], ['B'], ['C', 'B'], ['A', 'B', 'C']);
  let compared = 0;
  const finds = () =>
    fc.asyncProperty(expression, readers, async (text, attributes) => {
      const hidden = Object.entries(columns).flatMap(([path, label]) =>
        label.split('&').every((token) => attributes.includes(token)) ? [] : [path],
      );
      const stripper = createColumnStripper(hidden.toSorted());
      const tree = parseLucene(text);
      const expected = records
        .filter((_, index) => labels[index % labels.length]![1](attributes))
        .map((record) => stripper.record(record))
        .filter((record) => matchesLucene(tree, record));
      const found = await t.search(datasetId, text, ...attributes);
      assert.deepEqual(found.texts, expected.toSorted());
      assert.equal(found.total, expected.length);
      if (expected.length > 0) compared++;
    });
  await fc.assert(finds(), { numRuns: 100 });
  assert.ok(compared > 10, `only ${String(compared)} searches found anything`);
  compared = 0;
  await t.store.indexWordsByPath(datasetId);
  const unfinished = `SELECT count() FROM system.mutations WHERE database = '${t.database}' AND NOT is_done`;
  while ((await t.engine.text(unfinished, { lane: 'short' })).trim() !== '0') await delay(20);
  await fc.assert(finds(), { numRuns: 100 });
  assert.ok(compared > 10, `only ${String(compared)} searches found anything`);
});
