import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePreferences } from './preferences.ts';

const usual = { density: 'normal', zone: '', hasSingleKeys: true };

test('stored preferences are used as far as they are valid, and otherwise the usual ones', () => {
  const stored = { version: 1, density: 'compact', zone: 'Asia/Kolkata', hasSingleKeys: false };
  const { version: _version, ...fields } = stored;
  assert.deepEqual(parsePreferences(JSON.stringify(stored)), fields);
  assert.deepEqual(parsePreferences(JSON.stringify({ ...stored, zone: 'Nowhere/Land' })), {
    ...fields,
    zone: '',
  });
  assert.deepEqual(parsePreferences(JSON.stringify({ ...stored, density: 'tiny' })), {
    ...fields,
    density: 'normal',
  });
  for (const other of [null, 'x', '[]', 'null', '7', JSON.stringify({ ...stored, version: 0 })])
    assert.deepEqual(parsePreferences(other), usual);
});
