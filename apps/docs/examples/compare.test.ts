import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { differences } from './compare.ts';

const agree: readonly [expected: unknown, actual: unknown][] = [
  [
    { a: 1, b: [true, null] },
    { b: [true, null], a: 1 },
  ],
  [{ id: '…' }, { id: 7 }],
  [{ id: '…' }, { id: null }],
  [
    { a: 1, '…': '…' },
    { a: 1, b: 2 },
  ],
  [{ a: 1, '…': '…' }, { a: 1 }],
  [
    [1, '…'],
    [1, 2, 3],
  ],
  [[1, '…'], [1]],
  ['There is no "…" here.', 'There is no "x.y" here.'],
];

const differ: readonly [expected: unknown, actual: unknown, where: string[]][] = [
  [{ a: 1 }, { a: 2 }, ['$.a: expected 1, got 2']],
  [{ a: 1 }, { a: '1' }, ['$.a: expected 1, got "1"']],
  [{ a: 1 }, { a: 1, b: 2 }, ['$.b: not expected, got 2']],
  [{ id: '…' }, {}, ['$.id: missing']],
  [[1], [1, 2], ['$: expected 1 entries, got 2']],
  [[1, 2, '…'], [1], ['$: expected 2 entries, got 1']],
  [{ a: [] }, { a: {} }, ['$.a: expected a list, got {}']],
  [{ a: {} }, { a: null }, ['$.a: expected an object, got null']],
  ['a.c', 'abc', ['$: expected "a.c", got "abc"']],
  ['a…', 7, ['$: expected "a…", got 7']],
];

describe('comparing an answer with the one on the page', () => {
  test('an ellipsis matches any value, more keys, more entries and any part of a text', () => {
    for (const [expected, actual] of agree) deepEqual(differences(expected, actual), []);
  });

  test('each difference is reported with its path', () => {
    for (const [expected, actual, where] of differ) deepEqual(differences(expected, actual), where);
  });
});
