import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeToken, tokenAtCursor, writeToken } from './token-completion.ts';

test('the token before the cursor begins after an operator or a parenthesis', () => {
  const cases = [
    ['', 0, 0, ''],
    ['REG', 3, 0, 'REG'],
    ['A&(B|re', 7, 5, 're'],
    ['A&', 2, 2, ''],
    ['A&B', 1, 0, 'A'],
    ['"two w', 6, 0, 'two w'],
  ] as const;
  for (const [label, cursor, start, prefix] of cases) {
    assert.deepEqual(tokenAtCursor(label, cursor), { start, prefix }, label);
  }
});

test('a completed token replaces the one before the cursor, in quotes where it needs them', () => {
  assert.deepEqual(completeToken('A&re', 4, 'REGION:EU'), { label: 'A&REGION:EU', cursor: 11 });
  assert.deepEqual(completeToken('re|B', 2, 'REGION:EU'), { label: 'REGION:EU|B', cursor: 9 });
  assert.deepEqual(completeToken('"tw', 3, 'TWO WORDS'), { label: '"TWO WORDS"', cursor: 11 });
  assert.equal(writeToken('A"B'), '"A\\"B"');
});
