import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyMatcher } from './key-pattern.ts';

const cases: readonly (readonly [pattern: string, matching: string[], other: string[]])[] = [
  ['*.csv', ['a.csv', '.csv', 'ä.csv'], ['a/b.csv', 'a.csv2', 'a.tsv', '']],
  ['**.csv', ['a.csv', 'a/b.csv', 'a/b/c.csv'], ['a.csv/b']],
  ['**/*.csv', ['a.csv', 'a/b.csv', 'a/b/c.csv'], ['a/b.tsv']],
  ['a/**/z', ['a/z', 'a/b/z', 'a/b/c/z'], ['a/bz', 'ab/z', 'z']],
  ['a/**', ['a/', 'a/b', 'a/b/c'], ['a', 'b/a']],
  ['a**/b', ['a/b', 'ax/b', 'a/x/b'], ['b']],
  ['day-??.json', ['day-01.json'], ['day-1.json', 'day-1/.json', 'day-001.json']],
  ['?', ['😀', 'a'], ['', 'ab', '/']],
  ['', [''], ['a']],
  ['*', ['', 'a'], ['a/']],
  ['a.c', ['a.c'], ['abc']],
];

test('a pattern matches names, folders and single characters', () => {
  for (const [pattern, matching, other] of cases) {
    const matches = createKeyMatcher(pattern);
    assert.deepEqual(
      matching.filter((key) => !matches(key)),
      [],
      pattern,
    );
    assert.deepEqual(other.filter(matches), [], pattern);
  }
});

test('a pattern with many stars takes no more steps than key and pattern are long', () => {
  const matches = createKeyMatcher(`${'*a'.repeat(60)}b`);
  assert.equal(matches('a'.repeat(1000)), false);
});
