import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridWindow, offsetToShow } from './grid-window.ts';

test('the window holds the rows in view and some on either side, and never more than there are', () => {
  assert.deepEqual(gridWindow(0, 360, 36, 1000, 5), { first: 0, end: 15 });
  assert.deepEqual(gridWindow(3600, 360, 36, 1000, 5), { first: 95, end: 115 });
  assert.deepEqual(gridWindow(1e9, 360, 36, 1000, 5), { first: 1000, end: 1000 });
  assert.deepEqual(gridWindow(0, 360, 36, 3, 5), { first: 0, end: 3 });
  assert.deepEqual(gridWindow(0, 360, 36, 0, 5), { first: 0, end: 0 });
});

test('a row is brought into view with the least movement', () => {
  assert.equal(offsetToShow(0, 360, 100, 36), 0);
  assert.equal(offsetToShow(10, 340, 100, 36), 340, 'it is in view already');
  assert.equal(offsetToShow(20, 0, 100, 36), 656);
});
