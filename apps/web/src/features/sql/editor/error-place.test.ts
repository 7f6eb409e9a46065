import { RedoubtError } from '@redoubt/errors';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datasetsIn, quoteName } from './complete-sql.ts';
import { placeOfError } from './error-place.ts';

const errorAt = (offset: number, length: number) =>
  new RedoubtError('SqlParseError', 'wrong', { position: { offset, length } });

test('the place of an error counts characters, and begins where the statement does', () => {
  const sent = "SELECT '💩', nope";
  const place = placeOfError(errorAt(12, 4), sent, 100);
  assert.deepEqual(place, { from: 113, to: 117 });
  assert.equal(sent.slice(13, 17), 'nope');
  assert.deepEqual(placeOfError(errorAt(16, 0), sent, 0), { from: 16, to: 17 });
  assert.equal(placeOfError(new RedoubtError('SqlParseError', 'no place'), sent, 0), undefined);
});

test('completion knows the datasets of a statement, quoted or in other letter case', () => {
  const schema = new Map([
    ['Notams', {}],
    ['air ports', {}],
    ['other', {}],
  ]);
  assert.deepEqual(datasetsIn('SELECT  FROM notams n JOIN "air ports" a ON true', schema), [
    'Notams',
    'air ports',
  ]);
  assert.deepEqual(datasetsIn('SELECT 1 FROM "notams"', schema), []);
  assert.deepEqual(['a_1', 'A', 'say "x"'].map(quoteName), ['a_1', '"A"', '"say ""x"""']);
});
