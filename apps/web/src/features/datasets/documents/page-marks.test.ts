import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { wordsInRanges } from './page-marks.ts';

const box = [0, 0, 1, 1];
const words = ['the', 'runway', 'other', 'the', 'end'].map((text, at) => ({ text, box, at }));

test('words of a page are found at the ranges of its text, each at its own place', () => {
  const text = 'the runway,\nthe end';
  const at = (from: number, to: number) => wordsInRanges(text, words, [{ from, to }]).map((word) => word.at);
  deepEqual(at(12, 15), [3]);
  deepEqual(at(0, 3), [0]);
  deepEqual(at(2, 6), [0, 1]);
  deepEqual(at(10, 12), []);
});
