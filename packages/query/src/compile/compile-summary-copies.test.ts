import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileCopyRows, compileSummaryCopySearch, type CopyVisibility } from './compile-summary-copies.ts';

const table = { database: 'd`b', datasetId: 'copies' };
const copyFor = (copy: number, ...ids: number[]): CopyVisibility => ({
  copy,
  visible: { ids: Uint32Array.from(ids) },
});
const search = (copies: readonly CopyVisibility[], limit = 5): string =>
  compileSummaryCopySearch({ table, writer: 'w', copies, match: 'x', limit });

test('a search of copies starts with the labels that its reader satisfies in each of them', () => {
  assert.match(
    search([copyFor(1, 0, 7), copyFor(3), copyFor(1_000_000, 4_294_967_294)]),
    / FROM `d\\`b`\.`copies` WHERE sight IN \(4294967296,4294967303,4294971590967294\) AND writer = 'w' AND x GROUP BY /,
  );
});

test('a search of copies by a reader without a visible label returns nothing', () => {
  for (const copies of [[], [copyFor(1), copyFor(2)]]) assert.match(search(copies), / WHERE 0 AND writer = /);
});

test('a copy number or row count that is not an integer throws and never gets into a statement', () => {
  for (const number of [1.5, -1, Number.NaN, Infinity]) {
    assert.throws(() => search([copyFor(number, 1)]), RangeError);
    assert.throws(() => search([copyFor(1, 1)], number), RangeError);
    assert.throws(
      () => compileCopyRows(table, { copy: number, dataset: 'd', state: 's' }, ['raw']),
      RangeError,
    );
  }
});
