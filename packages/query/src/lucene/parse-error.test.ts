/* Shows: F-POST-/query-position */
import { RedoubtError } from '@redoubt/errors';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLucene } from './parse-lucene.ts';

const wrongParts: readonly [expression: string, part: string, hint: RegExp][] = [
  ['name:(london', '(', /^Expected a closing \)/],
  ['a b)', ')', /^Expected \( before this \)\. For the character itself, write/],
  ['💩 AND', '', /^Expected a word/],
  ['a AND OR b', 'OR', /in double quotes\.$/],
  ['priority:[5 TO', '', /./],
];

test('errors of Lucene mark the wrong part and have a hint', () => {
  for (const [expression, part, hint] of wrongParts) {
    assert.throws(
      () => parseLucene(expression),
      (error) => {
        assert.ok(error instanceof RedoubtError);
        const { offset = -1, length = -1 } = error.position ?? {};
        const characters = Array.from(expression);
        assert.equal(characters.slice(offset, offset + length).join(''), part);
        assert.ok(error.message.startsWith(`At character ${String(offset + 1)}, `), error.message);
        assert.match(error.hint ?? '', hint);
        return true;
      },
    );
  }
});
