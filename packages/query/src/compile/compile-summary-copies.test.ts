import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileCopyRows, compileSummaryCopySearch, type CopyVisibility } from './compile-summary-copies.ts';

const table = { database: 'd`b', datasetId: 'copies' };
const sight = (copy: number, ...ids: number[]): CopyVisibility => ({
  copy,
  visible: { ids: Uint32Array.from(ids) },
});
const search = (sights: readonly CopyVisibility[], limit = 5): string =>
  compileSummaryCopySearch({ table, writer: 'w', sights, match: 'x', limit });

test('a search of copies names the labels that its reader satisfies in each of them, before any other condition', () => {
  assert.match(
    search([sight(1, 0, 7), sight(3), sight(1_000_000, 4_294_967_294)]),
    / FROM `d\\`b`\.`copies` WHERE sight IN \(4294967296,4294967303,4294971590967294\) AND writer = 'w' AND x GROUP BY /,
  );
});

test('a search of copies by somebody who satisfies no label of them lets nothing through', () => {
  for (const sights of [[], [sight(1), sight(2)]]) assert.match(search(sights), / WHERE 0 AND writer = /);
});

test('a number of a copy or of rows that is not whole is a fault, never part of a statement', () => {
  for (const number of [1.5, -1, Number.NaN, Infinity]) {
    assert.throws(() => search([sight(number, 1)]), RangeError);
    assert.throws(() => search([sight(1, 1)], number), RangeError);
    assert.throws(
      () => compileCopyRows(table, { copy: number, dataset: 'd', state: 's' }, ['raw']),
      RangeError,
    );
  }
});
