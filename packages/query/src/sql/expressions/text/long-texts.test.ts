import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trimZeros } from '../../../values/numbers.ts';
import { trimmed } from './text-casts.ts';

const long = 4_000_000;

test('a text of millions of spaces or zeros is trimmed in one pass', () => {
  const inside = `a${' '.repeat(long)}b`;
  assert.equal(trimmed(`\n\t ${inside} \r\f`), inside);
  assert.equal(trimmed(' '.repeat(long)), '');
  const digits = `1.${'0'.repeat(long)}1`;
  assert.equal(trimZeros(`${digits}000`), digits);
});
