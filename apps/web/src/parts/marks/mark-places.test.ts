import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markPlaces, shorten, type Place } from './mark-places.ts';

const at = (path: (number | string)[], offset: number, length: number): Place => ({
  field: path.filter((key) => typeof key === 'string').join('.'),
  path,
  offset,
  length,
});

const marked = (value: unknown, ...places: Place[]): string[] => {
  const { text, ranges } = markPlaces(value, ['f'], places);
  return [text, ...ranges.map(({ from, to }) => text.slice(from, to))];
};

test('the places of a text are marked as they are', () => {
  assert.deepEqual(marked('Red fox', at(['f'], 0, 3), at(['g'], 4, 3)), ['Red fox', 'Red']);
  assert.deepEqual(marked(42, at(['f'], 0, 2)), ['42', '42']);
  assert.deepEqual(marked(1, at(['f'], 0, 3)), ['1', '1']);
  assert.deepEqual(marked(null), ['']);
});

test('places in lists and objects are marked in their JSON', () => {
  const value = ['a "fox"', { 'k\n': 'the fox', n: 5 }, null];
  assert.deepEqual(marked(value, at(['f', 0], 3, 3), at(['f', 1, 'k\n'], 4, 3), at(['f', 1, 'n'], 0, 1)), [
    JSON.stringify(value),
    'fox',
    'fox',
    '5',
  ]);
});

test('a shortened text has no marks behind its end', () => {
  const long = markPlaces('fox and fox', ['f'], [at(['f'], 0, 3), at(['f'], 8, 3)]);
  assert.deepEqual(shorten(long, 9), {
    text: 'fox and f…',
    ranges: [
      { from: 0, to: 3 },
      { from: 8, to: 9 },
    ],
  });
  assert.deepEqual(shorten(long, 5).ranges, [{ from: 0, to: 3 }]);
});
