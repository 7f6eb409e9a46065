/* Shows: D-replace-hidden-columns */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHiddenPath } from '@redoubt/labels';
import * as fc from 'fast-check';
import { createHiddenPartReader } from './hidden-part.ts';
import { preserveHiddenColumns } from './preserve-hidden-columns.ts';
import { createColumnStripper } from './strip-columns.ts';

const partOf = (before: string, hidden: readonly string[]): string | undefined =>
  createHiddenPartReader(hidden)(Buffer.from(before));

/** Returns the stored record after a writer, from whom some columns are hidden, replaces `before` by `text`. */
function replaced(text: string, before: string, hidden: readonly string[]): string {
  const visible = createColumnStripper(hidden).record(text);
  const part = partOf(before, hidden);
  return part === undefined ? visible : preserveHiddenColumns(visible, part, hidden);
}

test('the hidden part of a record has hidden members and the objects and arrays around them, and nothing else', () => {
  const cases: [string[], string, string | undefined][] = [
    [['h'], '{"a":1}', undefined],
    [['h'], '{"a":{"h":1},"b":[{"h":2}]}', undefined],
    [['h'], '{"a":"long","h":1.50,"b":[1]}', '{"h":1.50}'],
    [['h', 'i'], '{"i":1,"a":2,"h":{"x":[1,"}"]}}', '{"i":1,"h":{"x":[1,"}"]}}'],
    [['a.b'], '{"a":{"c":1},"a":{"b":2,"c":3},"a.b":4}', '{"a":{"b":2},"a.b":4}'],
    [['a.b'], '{"a":[1,{"b":2},"x",[{"c":3}],{}]}', '{"a":[0,{"b":2},0,0,0]}'],
    [['h'], String.raw`{"\u0068":"\"h\":2,"}`, String.raw`{"\u0068":"\"h\":2,"}`],
    [['a.b'], '{"x":1,"a":[],"y":{}}', undefined],
  ];
  for (const [hidden, record, part] of cases) assert.equal(partOf(record, hidden), part, record);
});

const key = fc.constantFrom(
  'a',
  'b',
  'c',
  'a.b',
  'b.c',
  '',
  'é',
  'h"',
  'k'.repeat(60),
  `${'k'.repeat(50)}\\"`,
);
const texts = ['', '"', '\\', '{"a":1}', ',"a":', 'é', `${'x'.repeat(70)}"\\"\\`, `${'\\'.repeat(61)}"z`];
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, 1.5, ...texts),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const record = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true });
const hiddenPaths = fc
  .array(
    fc.array(key, { minLength: 1, maxLength: 3 }).map((path) => path.join('.')),
    { minLength: 1, maxLength: 3 },
  )
  .map((paths) =>
    [...new Set(paths)].filter((path) => !paths.some((each) => path.startsWith(`${each}.`))).toSorted(),
  );

/** The texts of a record's hidden values. */
function hiddenValues(part: unknown, path: string | undefined, hidden: readonly string[]): string[] {
  if (Array.isArray(part)) return part.flatMap((item) => hiddenValues(item, path, hidden));
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => {
    const below = path === undefined ? name : `${path}.${name}`;
    return isHiddenPath(hidden, below) ? [JSON.stringify(inner)] : hiddenValues(inner, below, hidden);
  });
}

test('a replaced record shows its writer what was sent, and keeps every hidden value for other readers', () => {
  fc.assert(
    fc.property(record, record, hiddenPaths, (sent, before, hidden) => {
      const [text, old] = [JSON.stringify(sent), JSON.stringify(before)];
      const result = replaced(text, old, hidden);
      const strip = createColumnStripper(hidden);
      assert.equal(strip.record(result), strip.record(text));
      for (const kept of hiddenValues(before, undefined, hidden)) assert.ok(result.includes(kept), kept);
    }),
    { numRuns: 1000 },
  );
});

test('replacing a record with itself changes only the order of its members', () => {
  fc.assert(
    fc.property(record, hiddenPaths, (written, hidden) => {
      const text = JSON.stringify(written);
      assert.deepEqual(JSON.parse(replaced(text, text, hidden)), written);
    }),
    { numRuns: 1000 },
  );
});

const depth = 97;

test('records are taken apart whatever the size of their values, their number of keys and their depth', () => {
  const large: [name: string, value: string][] = [
    ['a long text', `"${'v'.repeat(9_000_000)}"`],
    ['a text of quotes', `"${String.raw`\"`.repeat(4_500_000)}"`],
    ['a text of backslashes', `"${String.raw`\\`.repeat(4_500_000)}"`],
    ['a list', `[${'1,'.repeat(200_000)}1]`],
    ['a list of lists', `[${'[],'.repeat(200_000)}{}]`],
    [
      'many keys',
      `{${Array.from({ length: 100_000 }, (_, at) => `"k${String(at)}":${String(at)}`).join(',')}}`,
    ],
    ['the same key', `{${'"k":{},'.repeat(100_000)}"k":{}}`],
    ['deep lists', `${'['.repeat(depth)}1${']'.repeat(depth)}`],
    ['deep objects', `${'{"k":'.repeat(depth)}1${'}'.repeat(depth)}`],
  ];
  for (const [name, shown] of large) {
    const others = [`"z":${shown}`, `"k":${shown}`];
    for (const other of others) {
      const sent = `{${other}}`;
      assert.ok(replaced(sent, '{"h":1}', ['h', 'k.k.k.h']) === `{${other},"h":1}`, name);
      assert.ok(replaced(sent, `{${other},"h":1}`, ['h', 'k.k.k.h']) === `{${other},"h":1}`, name);
    }
    const kept = `{"h":${shown}}`;
    assert.ok(replaced('{"a":1}', kept, ['h']) === `{"a":1,"h":${shown}}`, name);
    assert.ok(replaced('{}', `{"p":{"h":${shown}}}`, ['p.h']) === `{"p.h":${shown}}`, name);
  }
});
