import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advance, isSingleKey, keyOf, printKeys } from './key-sequences.ts';

const noModifiers = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const sequences = ['g d', 'g s', '?', 'c', 'Mod+k'];

test('keys have the names that actions give them', () => {
  assert.equal(keyOf({ ...noModifiers, key: '?' }), '?');
  assert.equal(keyOf({ ...noModifiers, key: 'k', ctrlKey: true }), 'Mod+k');
  assert.equal(keyOf({ ...noModifiers, key: 'K', metaKey: true }), 'Mod+k');
  assert.equal(keyOf({ ...noModifiers, key: 'Enter', ctrlKey: true }), 'Mod+Enter');
  assert.equal(keyOf({ ...noModifiers, key: 'Enter', ctrlKey: true, shiftKey: true }), 'Mod+Shift+Enter');
  for (const key of ['Shift', 'Enter', ' ', 'F1']) assert.equal(keyOf({ ...noModifiers, key }), undefined);
  assert.equal(keyOf({ ...noModifiers, key: 'd', altKey: true }), undefined);
});

test('a sequence is complete with its last key, and a key that continues none begins anew', () => {
  assert.deepEqual(advance('', 'g', sequences), { pending: 'g' });
  assert.deepEqual(advance('g', 'd', sequences), { pending: '', match: 'g d' });
  assert.deepEqual(advance('g', 'c', sequences), { pending: '', match: 'c' });
  assert.deepEqual(advance('g', 'g', sequences), { pending: 'g' });
  assert.deepEqual(advance('g', 'x', sequences), { pending: '' });
  assert.deepEqual(advance('', 'Mod+k', sequences), { pending: '', match: 'Mod+k' });
});

test('keys are printed as the keyboard names them, and only those with Control can stay when single keys are off', () => {
  assert.deepEqual(printKeys('g d', false), ['G', 'D']);
  assert.deepEqual(printKeys('Mod+k', false), ['Ctrl', 'K']);
  assert.deepEqual(printKeys('Mod+k', true), ['⌘', 'K']);
  assert.deepEqual(printKeys('Mod+Shift+Enter', false), ['Ctrl', 'Shift', 'Enter']);
  assert.deepEqual(sequences.filter(isSingleKey), ['g d', 'g s', '?', 'c']);
});
