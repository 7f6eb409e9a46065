import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countCells, moveByKey, rangeBetween } from './grid-keys.ts';

const size = { page: 10, lastRow: 999_999, lastColumn: 99, hasHeader: true };
const press = (key: string, ctrlKey = false) => ({ key, ctrlKey, metaKey: false });
const from = { row: 5, column: 5 };

test('keys move the active cell, with Ctrl to the edge, and never out of the grid', () => {
  assert.deepEqual(moveByKey(press('ArrowDown'), from, size), { row: 6, column: 5 });
  assert.deepEqual(moveByKey(press('ArrowRight', true), from, size), { row: 5, column: 99 });
  assert.deepEqual(moveByKey(press('ArrowDown', true), from, size), { row: 999_999, column: 5 });
  assert.deepEqual(moveByKey(press('PageUp'), from, size), { row: 0, column: 5 });
  assert.deepEqual(moveByKey(press('End', true), from, size), { row: 999_999, column: 99 });
  assert.deepEqual(moveByKey(press('Home', true), from, size), { row: 0, column: 0 });
  assert.deepEqual(moveByKey(press('ArrowUp'), { row: 0, column: 0 }, size), { row: -1, column: 0 });
  assert.deepEqual(moveByKey(press('ArrowUp'), { row: 0, column: 0 }, { ...size, hasHeader: false }), {
    row: 0,
    column: 0,
  });
  assert.equal(moveByKey(press('x'), from, size), undefined);
});

test('a range has all cells between two, in any order, and none of the header', () => {
  const range = rangeBetween({ row: 3, column: 2 }, { row: -1, column: 4 });
  assert.deepEqual(range, { firstRow: 0, lastRow: 3, firstColumn: 2, lastColumn: 4 });
  assert.equal(countCells(range), 12);
});
