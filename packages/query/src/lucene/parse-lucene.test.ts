/* Shows: K-lucene-size, A-lucene-hostile */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { RedoubtError } from '@redoubt/errors';
import type { LuceneNode } from './lucene-node.ts';
import { parseLucene } from './parse-lucene.ts';
import { luceneTrees, printLucene, withoutPlaces } from '../../testing/lucene-trees.ts';

const term = (text: string, field: string | null = null) => ({ type: 'term', field, text });
const exists = (field: string) => ({ type: 'exists', field });
const must = (node: object) => ({ occur: 'must', node });
const should = (node: object) => ({ occur: 'should', node });
const mustNot = (node: object) => ({ occur: 'mustNot', node });
const all = { type: 'all' };
const group = (...clauses: object[]) => ({ type: 'boolean', clauses });
const pattern = (field: string | null, ...parts: (string | object)[]) => ({
  type: 'pattern',
  field,
  parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)),
});
const any = { any: true };
const one = { one: true };
const range = (field: string, lower: [string, boolean] | null, upper: [string, boolean] | null) => ({
  type: 'range',
  field,
  lower: lower && { text: lower[0], inclusive: lower[1] },
  upper: upper && { text: upper[0], inclusive: upper[1] },
});

const trees: [string, object][] = [
  ['nm0000001', term('nm0000001')],
  ['  word\u3000', term('word')],
  ['name: John', term('John', 'name')],
  ['name :John', term('John', 'name')],
  ['a.b.c:x', term('x', 'a.b.c')],
  ['a\\:b\\ c:x\\*\\?\\"', term('x*?"', 'a:b c')],
  ['\\u0041\\b\\\\', term('Ab\\')],
  ['"two \\"words\\" * ?"', term('two "words" * ?')],
  ['f:""', term('', 'f')],
  ['f:-5', term('-5', 'f')],
  ['f:-.5', term('-.5', 'f')],
  ['f:-5*', pattern('f', '-5', any)],
  ['a-b+c/d&e|f=g<h', term('a-b+c/d&e|f=g<h')],
  ['\\AND "OR"', group(should(term('AND')), should(term('OR')))],
  ['*', all],
  ['**', all],
  ['*:*', all],
  ['+*:*', all],
  ['f:*', exists('f')],
  ['f:**', exists('f')],
  ['_exists_:a.b', exists('a.b')],
  ['_exists_: "x y"', exists('x y')],
  ['fo*o?', pattern(null, 'fo', any, 'o', one)],
  ['f:?', pattern('f', one)],
  ['f:a\\*b*', pattern('f', 'a*b', any)],
  ['a b', group(should(term('a')), should(term('b')))],
  ['a AND b', group(must(term('a')), must(term('b')))],
  ['a && b || c', group(must(term('a')), must(term('b')), should(term('c')))],
  ['a OR b AND c', group(should(term('a')), must(term('b')), must(term('c')))],
  ['a AND b OR c', group(must(term('a')), must(term('b')), should(term('c')))],
  ['a AND NOT b', group(must(term('a')), mustNot(term('b')))],
  ['NOT a AND b', group(mustNot(term('a')), must(term('b')))],
  ['a OR +b -c !d', group(should(term('a')), must(term('b')), mustNot(term('c')), mustNot(term('d')))],
  ['- a', group(mustNot(term('a')))],
  ['NOT a', group(mustNot(term('a')))],
  ['(a)', term('a')],
  ['a(b c)', group(should(term('a')), should(group(should(term('b')), should(term('c')))))],
  ['f:(a OR g:b -c)', group(should(term('a', 'f')), should(term('b', 'g')), mustNot(term('c', 'f')))],
  ['f:(*:* OR *)', group(should(all), should(exists('f')))],
  ['f:(>1 AND <=5)', group(must(range('f', ['1', false], null)), must(range('f', null, ['5', true])))],
  [
    '"a b"^2 (c)^0.5 f:[1 TO 2]^3',
    group(should(term('a b')), should(term('c')), should(range('f', ['1', true], ['2', true]))),
  ],
  ['f:[1 TO 5}', range('f', ['1', true], ['5', false])],
  ['f:{ * TO "x y" ]', range('f', null, ['x y', true])],
  ['f:["*" TO \\*]', range('f', ['*', true], ['*', true])],
  ['f:[TO TO TO]', range('f', ['TO', true], ['TO', true])],
  ['f:[* TO *]', range('f', null, null)],
  ['f:[-5 TO 2024-01-01T10:00:00Z]', range('f', ['-5', true], ['2024-01-01T10:00:00Z', true])],
  ['f:>=5', range('f', ['5', true], null)],
  ['f:> "5 6"', range('f', ['5 6', false], null)],
  ['f:<2024-01-01T10:00:00+02:00)'.slice(0, -1), range('f', null, ['2024-01-01T10:00:00+02:00', false])],
];

describe('Lucene expressions', () => {
  for (const [expression, tree] of trees) {
    test(`the expression ${JSON.stringify(expression)} is parsed to the expected tree`, () => {
      assert.deepEqual(withoutPlaces(parseLucene(expression)), tree);
    });
  }

  test('a leaf has its position in the expression, counted in code points', () => {
    const tree = parseLucene('💩 f:x');
    assert.deepEqual(tree, {
      type: 'boolean',
      clauses: [
        { occur: 'should', node: { type: 'term', at: 1, field: null, text: '💩' } },
        { occur: 'should', node: { type: 'term', at: 5, field: 'f', text: 'x' } },
      ],
    });
  });

  test('a printed tree is parsed to the same tree', () => {
    fc.assert(
      fc.property(luceneTrees, (tree) => {
        assert.deepEqual(withoutPlaces(parseLucene(printLucene(tree))), withoutPlaces(tree as LuceneNode));
      }),
      { numRuns: 1000 },
    );
  });
});

/** The expression, the 1-based position of the error, and a part of the message. */
const invalid: [string, number, string][] = [
  ['', 1, 'expected a word'],
  ['  ', 3, '*:*'],
  ['()', 2, 'expected a word'],
  ['a AND', 6, 'expected a word'],
  ['AND a', 1, '"AND" in double quotes'],
  ['a AND OR b', 7, '"OR"'],
  ['NOT NOT a', 5, '"NOT"'],
  ['+-a', 2, 'expected a word'],
  ['(a', 1, 'closing )'],
  ['💩 (a (b)', 3, 'closing )'],
  ['a)', 2, 'expected ( before'],
  ['"a', 1, 'closing "'],
  ['a\\', 3, 'after the backslash'],
  ['\\u12g4', 1, 'four hexadecimal digits'],
  ['a~', 2, 'no ~'],
  ['"a b"~3', 6, 'no ~'],
  ['a^2~', 4, 'no ~'],
  ['~a', 1, 'no ~'],
  ['a^b', 2, '^ and a number'],
  ['[1 TO 2]', 1, 'a field before this range'],
  ['{a TO b}', 1, 'a field before this range'],
  ['>5', 1, 'a field before this comparison'],
  ['f:[1]', 5, 'expected TO'],
  ['f:[1 to 2]', 6, 'expected TO'],
  ['f:[1 TO 2', 10, '] or }'],
  ['f:[ TO 2]', 8, 'expected TO'],
  ['f:[1 TO ]', 9, 'a bound'],
  ['f:[', 4, 'a bound'],
  ['f:>', 4, 'a value to compare'],
  ['f:>*', 4, 'a value to compare'],
  ['f:', 3, 'a value for the field "f"'],
  ['f: )', 4, 'a value for the field "f"'],
  ['f:-x', 3, 'a value for the field "f"'],
  ['a:b:c', 4, 'no second colon'],
  ['f*:x', 1, 'without wildcards'],
  ['*:x', 1, 'without wildcards'],
  [':x', 1, 'expected a word'],
  ['_exists_:a*', 10, 'without wildcards'],
  ['_exists_:(a)', 10, 'the name of one field'],
  ['/a', 1, 'closing /'],
  ['/a/b', 4, 'a space after the regular expression'],
  ['/(?=a)/', 2, 'Lookaround'],
  ['/(?<n>a)/', 2, 'Lookaround'],
  ['/(?i)a/', 2, 'flags'],
  ['/\\1/', 2, 'no \\1'],
  ['/\\bx/', 2, 'no \\b'],
  ['/\\pL/', 2, 'no \\p'],
  ['/^a/', 2, 'no ^'],
  ['/a$/', 3, 'no $'],
  ['/*a/', 2, 'an expression before *'],
  ['/a|+/', 4, 'an expression before +'],
  ['/a**/', 3, 'only one quantifier'],
  ['/a+?/', 3, 'only one quantifier'],
  ['/a{2}{3}/', 3, 'only one quantifier'],
  ['/a{/', 3, '{n,m}'],
  ['/a{,5}/', 3, '{n,m}'],
  ['/a{3,2}/', 3, 'm not below n'],
  ['/a{1001}/', 3, '1,000 repetitions'],
  ['/(a{100}){11}/', 1, 'with nested ones multiplied'],
  ['/(a/', 2, 'closing )'],
  ['/a)/', 3, 'expected ( before'],
  ['/]/', 2, 'no single ]'],
  ['/[a/', 2, 'closing ]'],
  ['/[]/', 2, 'a character in the class'],
  ['/[b-a]/', 4, 'a range of two characters'],
  ['/[\\d-z]/', 5, 'a range'],
  ['/[\\D]/', 3, 'no \\D'],
  ['/[[]/', 3, 'no ['],
];

describe('invalid Lucene expressions', () => {
  for (const [expression, position, expected] of invalid) {
    test(`the error for ${JSON.stringify(expression)} has position ${String(position)} and what was expected there`, () => {
      assert.throws(
        () => parseLucene(expression),
        (error: unknown) => {
          assert.ok(error instanceof RedoubtError);
          assert.equal(error.name, 'LuceneParseError');
          assert.equal(error.code, 400);
          assert.ok(error.message.startsWith(`At character ${String(position)}, found `), error.message);
          assert.ok(error.message.includes(expected), error.message);
          return true;
        },
      );
    });
  }
});

const isLuceneParseError = (error: unknown): boolean =>
  error instanceof RedoubtError && error.name === 'LuceneParseError' && error.message.length < 400;

describe('hostile Lucene expressions', () => {
  const tooMuch: [string, string][] = [
    ['longer than 65,536 characters', 'a'.repeat(65_537)],
    ['more than 100 nested groups', `${'('.repeat(101)}a${')'.repeat(101)}`],
    ['groups that never close', '('.repeat(65_000)],
    ['more than 1,024 clauses', 'a '.repeat(1025)],
    ['a word of more than 8,192 characters', 'a'.repeat(8193)],
    ['a phrase of more than 8,192 characters', `"${'a'.repeat(8193)}"`],
    ['a bound of more than 8,192 characters', `f:[${'a'.repeat(8193)} TO 5]`],
    ['more than 100 groups in a regular expression', `/${'('.repeat(101)}a${')'.repeat(101)}/`],
    ['regular expressions too large when expanded', `/${'[^a]{1000}'.repeat(3)}/`],
    ['many regular expressions too large together', '/.{999}/ '.repeat(4)],
  ];
  for (const [name, expression] of tooMuch) {
    test(`a Lucene expression with ${name} is rejected`, () => {
      assert.throws(() => parseLucene(expression), isLuceneParseError);
    });
  }

  test('Lucene expressions up to the limits are parsed', () => {
    assert.equal(parseLucene(`${'('.repeat(100)}a${')'.repeat(100)}`).type, 'term');
    const many: LuceneNode = parseLucene('a '.repeat(1024));
    assert.equal(many.type === 'boolean' && many.clauses.length, 1024);
    assert.equal(parseLucene(`f:${'a'.repeat(8192)}`).type, 'term');
    assert.equal(parseLucene('/.{1000}/').type, 'regex');
  });

  test('no text makes the Lucene parser throw anything but LuceneParseError', () => {
    const pieces = fc.constantFrom(
      ...Array.from('()[]{}"/\\:^~*?+-!&|<>=. \t\u0000\u0001\ud800\udc00💩aé東1'),
      'AND',
      'OR',
      'NOT',
      'TO',
      'f:',
      '_exists_:',
      '*:*',
      '\\u',
      '{1,',
      '(?',
    );
    const hostile = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(hostile, (expression) => {
        try {
          parseLucene(expression);
        } catch (error) {
          assert.ok(isLuceneParseError(error), String(error));
        }
      }),
      { numRuns: 5000 },
    );
  });

  test('texts of a Lucene tree have no lone surrogates', () => {
    assert.deepEqual(withoutPlaces(parseLucene('\ud800a')), term('\ufffda'));
    assert.deepEqual(withoutPlaces(parseLucene('"\\uD800"')), term('\ufffd'));
  });
});
