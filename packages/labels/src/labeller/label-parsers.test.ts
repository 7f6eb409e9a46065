import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelParsers } from './label-parsers.ts';

test('there are four label parsers, and the simple one alone is deprecated', () => {
  assert.deepEqual(
    labelParsers.map(({ id, name, deprecated }) => [id, name, deprecated]),
    [
      ['identity-parser', 'identity', false],
      ['simple-parser', 'simple', true],
      ['capco-parser', 'capco', false],
      ['apply-label-to-all-records-parser', 'apply-label-to-all-records', false],
    ],
  );
});
