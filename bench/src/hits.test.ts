import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference } from './hits/result-rows.ts';
import { hitsLabelsOf, tierOf } from './hits/hits-labels.ts';

test('the benchmark treats results as different if a cell, a row or the order differs, except for the last digits of fractions', () => {
  const result = [
    ['a', 1, '2013-07-01T00:00:00'],
    ['b', 2.5, null],
  ];
  assert.equal(difference(result, [['a', '1', '2013-07-01'], ['b', '2.500000000001', null]]), undefined); // prettier-ignore
  assert.equal(difference([[{ a: 1, b: 2 }]], [[{ b: 2, a: 1 }]]), undefined);
  for (const other of [
    [result[0]],
    [result[1], result[0]],
    [['a', 2, '2013-07-01'], result[1]],
    [['a', 1, '2013-07-01T00:00:01'], result[1]],
    [result[0], ['b', 2.5001, null]],
    [result[0], ['b', 2.5, '']],
    [result[0], ['b', 2.5]],
  ])
    assert.notEqual(difference(result, other as unknown[][]), undefined, JSON.stringify(other));
});

test('the benchmark generates the requested number of distinct labels, and one record in ten or in ten thousand has a rare one', () => {
  for (const count of [6, 1000, 100_000]) {
    const { tiers } = hitsLabelsOf(count);
    const all = [...tiers.all, ...tiers.tenth, ...tiers.trace];
    assert.equal(new Set(all).size, count);
    assert.ok(tiers.tenth.length > 0 && tiers.trace.length > 0);
  }
  const indexes = Array.from({ length: 100_000 }, (_, index) => tierOf(index));
  assert.equal(indexes.filter((tier) => tier === 'trace').length, 10);
  assert.equal(indexes.filter((tier) => tier !== 'all').length, 10_000);
});
