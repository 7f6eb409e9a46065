import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { parseLucene } from '@redoubt/query';
import { matchesLucene } from '@redoubt/query/oracle';
import { openTestStore, type TestStore } from './testing/test-store.ts';

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
const members = fc.array(fc.tuple(keys, value), { maxLength: 5 });

const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&');
const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
const onField = paths.filter((path) => path !== '').map((path) => `${escaped(path)}:`);
const onAnyField = fc.oneof({ weight: 4, arbitrary: onField }, { weight: 1, arbitrary: fc.constant('') });

/** A text with some characters replaced by wildcards, or some put between them. */
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

/** Labels and who sees them, said by hand. */
const labels: [string, (attributes: readonly string[]) => boolean][] = [
  ['', () => true],
  ['A', (held) => held.includes('A')],
  ['A&B', (held) => held.includes('A') && held.includes('B')],
  ['A|B', (held) => held.includes('A') || held.includes('B')],
  ['C', (held) => held.includes('C')],
];

test('random searches by random readers find exactly the visible records that a naive evaluator finds', async () => {
  const datasetId = await t.dataset();
  const records = fc.sample(members, 400).map((found, index) => {
    const [label] = labels[index % labels.length]!;
    return objectText([...found, ['id', String(index)], ['label', JSON.stringify(label)]]);
  });
  const labelInfo = {
    fields: ['label'],
    parserClassName: 'identity-parser',
    labelHandlingPolicy: 'ignore',
  } as const;
  for (let from = 0; from < records.length; from += 100) {
    await t.write(datasetId, `[${records.slice(from, from + 100).join(',')}]`, { labelInfo });
  }
  const readers = fc.constantFrom<readonly string[]>([], ['A'], ['B'], ['A', 'B'], ['A', 'B', 'C']);
  let answered = 0;
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
      if (expected.length > 0) answered++;
    }),
    { numRuns: 200 },
  );
  assert.ok(answered > 20, `only ${String(answered)} searches found anything`);
});
