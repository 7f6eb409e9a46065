import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isSurelyUpright } from './tesseract-output.ts';

/** The output for a page whose words have this size and confidence. */
const pageOf = (words: readonly string[], [width, height]: readonly [number, number], confidence: number) =>
  words
    .map((word, at) => [5, 1, 1, 1, 1, at + 1, 10, 10, width, height, confidence, word].join('\t'))
    .join('\n');

const words = ['This', 'is', 'lot', 'points', 'text', 'tests'];

test('a page is surely upright if its words are certain and wider than high', () => {
  equal(isSurelyUpright(pageOf(words, [60, 20], 96)), true);
  // Upside down, words are garbage.
  equal(isSurelyUpright(pageOf(words, [60, 20], 35)), false);
  // Tesseract can read a page that lies on its side, whose words then stand.
  equal(isSurelyUpright(pageOf(words, [20, 60], 96)), false);
  // Few letters can be right in two orientations, as in "SOS" and "pod".
  equal(isSurelyUpright(pageOf(['SOS', 'pod', 'no'], [60, 20], 96)), false);
  equal(isSurelyUpright(''), false);
});
