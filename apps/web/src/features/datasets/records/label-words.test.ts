import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeLabel } from './label-words.ts';

test('a label is told in words', () => {
  assert.equal(describeLabel(''), 'Everyone who may read this dataset');
  assert.equal(describeLabel('REGION:EU'), 'People who hold REGION:EU');
  assert.equal(describeLabel('A&(B|C)'), 'People who hold A and (B or C)');
});
