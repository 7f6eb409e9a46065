import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLevels, checkRuns } from './check-runs.ts';

const whole = (bytes: readonly number[], count: number, width = 1) =>
  [Uint8Array.from(bytes), { from: 0, end: bytes.length, width, count }] as const;

test('runs and groups of packed bits are counted up to the values of the page', () => {
  // A run of 5, two groups of 8 packed bits, and an empty run.
  assert.equal(checkRuns(...whole([10, 1, 5, 255, 255, 0, 0], 21)), 21);
  // Packed bits are filled up to a whole group.
  assert.equal(checkRuns(...whole([10, 1, 3, 7], 8)), 8);
  assert.equal(checkRuns(...whole([200, 1, 1], 1000)), 100);
  // Numbers of twelve bits. The page lacks the end of the last group.
  assert.equal(checkRuns(...whole([3, 1, 2, 3], 2, 12)), 2);
});

test('a run that is longer than its page, or has no length, is damage', () => {
  const long = /a run has \d+ values, which is more than its page/;
  assert.throws(() => checkRuns(...whole([254, 255, 255, 255, 15, 1], 1000)), long);
  assert.throws(() => checkRuns(...whole([12, 1], 5)), long);
  // Packed bits that the page does not have. The decoder would read their number as a negative number.
  assert.throws(() => checkRuns(...whole([255, 255, 255, 255, 15, 1], 1000)), long);
  assert.throws(() => checkRuns(...whole([255, 255], 1000)), /the length of a run is cut off/);
  assert.throws(
    () => checkRuns(...whole([255, 255, 255, 255, 255, 1], 1000)),
    /the length of a run is cut off/,
  );
});

test('levels that end before the values are damage', () => {
  checkLevels(...whole([200, 1, 1], 100));
  assert.throws(() => checkLevels(...whole([200, 1, 1], 101)), /fewer levels than values/);
  assert.throws(
    () => checkLevels(Uint8Array.from([200, 1, 1]), { from: 0, end: 4, width: 1, count: 100 }),
    /fewer levels than values/,
  );
});
