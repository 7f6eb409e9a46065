import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHiddenPath } from '@redoubt/labels';
import * as fc from 'fast-check';
import { createColumnStripper } from './strip-columns.ts';

const strip = (hidden: string[], text: string): string => createColumnStripper(hidden).record(text);

test('a hidden column is removed with everything inside it, wherever it occurs', () => {
  const cases: [string[], string, string][] = [
    [['h'], '{"h":1,"a":2}', '{"a":2}'],
    [['h'], '{"a":2,"h":1}', '{"a":2}'],
    [['h'], '{"a":2,"h":{"x":[1,"}"]},"b":3}', '{"a":2,"b":3}'],
    [['h'], '{"h":1}', '{}'],
    [['h', 'i'], '{"h":1,"i":2}', '{}'],
    [['h', 'i'], '{"h":1,"a":0,"i":2,"h":3}', '{"a":0}'],
    [['a.b'], '{"a":{"b":1,"c":2},"a.b":3,"b":4}', '{"a":{"c":2},"b":4}'],
    [['a.b'], '{"a":[{"b":1},[{"b":{"b":2}}],{"c":{"b":3}}]}', '{"a":[{},[{}],{"c":{"b":3}}]}'],
    [['a'], '{"a.x":1,"ab":2,"b":{"a":3}}', '{"ab":2,"b":{"a":3}}'],
    [['a.b.c'], '{"a.b":{"c":1,"d":2},"a":{"b.c":3,"b":{"c":4}}}', '{"a.b":{"d":2},"a":{"b":{}}}'],
    [['h'], String.raw`{"\u0068":1,"x":"\"h\":2,"}`, String.raw`{"x":"\"h\":2,"}`],
    [['é'], '{"é":1,"e":2}', '{"e":2}'],
    [[''], '{"":1,"a":{"":2}}', '{"a":{"":2}}'],
    [['h'], '{"a":1.50,"b":1e400,"c":-0}', '{"a":1.50,"b":1e400,"c":-0}'],
  ];
  for (const [hidden, text, expected] of cases) assert.equal(strip(hidden, text), expected, text);
});

const keys = ['a', 'b', 'c', 'a.b', 'b.c', '', 'é', 'h"', '\ud83d\ude00'];
const key = fc.constantFrom(...keys);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 1.5, -3, '', '"', '{"a":1}', ',"a":', '\\', '\u0007é'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));
const record = fc.dictionary(key, value, { maxKeys: 5 });
const hiddenPaths = fc
  .array(
    fc.array(key, { minLength: 1, maxLength: 3 }).map((path) => path.join('.')),
    { minLength: 1, maxLength: 3 },
  )
  .map((paths) => [...new Set(paths)].toSorted());

/** A simple implementation on parsed values, to compare with. */
function visibleOf(part: unknown, path: string | undefined, hidden: string[]): unknown {
  if (Array.isArray(part)) return part.map((item) => visibleOf(item, path, hidden));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, inner]) => {
      const below = path === undefined ? name : `${path}.${name}`;
      return isHiddenPath(hidden, below) ? [] : [[name, visibleOf(inner, below, hidden)]];
    }),
  );
}

test('of any record that is left which is not hidden, and nothing else changes', () => {
  fc.assert(
    fc.property(record, hiddenPaths, (written, hidden) => {
      assert.equal(
        strip(hidden, JSON.stringify(written)),
        JSON.stringify(visibleOf(written, undefined, hidden)),
      );
    }),
    { numRuns: 2000 },
  );
});

const rows = (texts: string[]): string => texts.map((text, i) => `id${String(i)}\t7\t${text}\n`).join('');

test('rows keep their first columns and their order when columns are taken out', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), hiddenPaths, (records, hidden) => {
      const texts = records.map((each) => JSON.stringify(each));
      assert.equal(
        createColumnStripper(hidden)
          .rows(Buffer.from(rows(texts)), 2)
          .toString(),
        rows(texts.map((text) => strip(hidden, text))),
      );
    }),
  );
});
