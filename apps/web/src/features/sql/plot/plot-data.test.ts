import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxPoints, toPlotData } from './plot-data.ts';

test('bars have a label and a height for each row, and what is no number has none', () => {
  const rows = [
    { kind: 'NDB', n: 3 },
    { kind: null, n: '12.5' },
    { kind: '', n: 'many' },
  ];
  assert.deepEqual(toPlotData('bar', rows, 'kind', 'n'), {
    labels: ['NDB', 'null', '""'],
    values: [3, 12.5, null],
    left: 0,
  });
  const many = Array.from({ length: maxPoints + 7 }, (_, n) => ({ n }));
  assert.equal(toPlotData('line', many, 'n', 'n').left, 7);
});

test('a histogram counts every number once, the greatest too, and says how many values are none', () => {
  const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, null].map((n) => ({ n }));
  const { labels, values, left } = toPlotData('histogram', rows, '', 'n');
  assert.deepEqual([values, left], [[3, 3, 3], 1]);
  assert.equal(labels[0], '0 to 2.667');
  assert.deepEqual(toPlotData('histogram', [{ n: 5 }, { n: 5 }], '', 'n'), {
    labels: ['5'],
    values: [2],
    left: 0,
  });
  assert.deepEqual(toPlotData('histogram', [{ n: 'x' }], '', 'n'), { labels: [], values: [], left: 1 });
});
