import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { withMarks } from './row-marks.ts';

const place = (path: (number | string)[], offset: number, length: number) => ({
  field: path.filter((key) => typeof key === 'string').join('.'),
  path,
  offset,
  length,
});
const found = (...places: ReturnType<typeof place>[]) => [
  { id: '1', cells: {}, cut: [], highlights: { places, complete: true } },
];

test('matches are marked in the text of a cell, and in none that is truncated before them', () => {
  const row = {
    id: '1',
    cells: { a: 'a fox', list: ['fox'], long: 'fox and', cutList: '["fo' },
    cut: ['long', 'cutList'],
  };
  const places = found(
    place(['a'], 2, 3),
    place(['list', 0], 0, 3),
    place(['long'], 0, 3),
    place(['long'], 600, 3),
    place(['cutList', 0], 0, 3),
    place(['not chosen'], 0, 3),
  );
  deepEqual(withMarks([row, 'gone'], places), [
    {
      ...row,
      marks: { a: [{ from: 2, to: 5 }], list: [{ from: 2, to: 5 }], long: [{ from: 0, to: 3 }] },
    },
    'gone',
  ]);
});

test('a row without matches stays the same object, so that it is not painted again', () => {
  const rows = [{ id: '1', cells: { a: 'x' }, cut: [] }];
  deepEqual(withMarks(rows, found())[0] === rows[0], true);
});
