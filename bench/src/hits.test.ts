import assert from 'node:assert/strict';
import { test } from 'node:test';
import { difference } from './hits/result-rows.ts';
import { hitsLabelsOf, tierOf } from './hits/hits-labels.ts';

test('the benchmark takes answers for different when a cell, a row or the order differs, and only a last digit of a fraction may', () => {
  const answer = [
    ['a', 1, '2013-07-01T00:00:00'],
    ['b', 2.5, null],
  ];
  assert.equal(difference(answer, [['a', '1', '2013-07-01'], ['b', '2.500000000001', null]]), undefined); // prettier-ignore
  assert.equal(difference([[{ a: 1, b: 2 }]], [[{ b: 2, a: 1 }]]), undefined);
  for (const other of [
    [answer[0]],
    [answer[1], answer[0]],
    [['a', 2, '2013-07-01'], answer[1]],
    [['a', 1, '2013-07-01T00:00:01'], answer[1]],
    [answer[0], ['b', 2.5001, null]],
    [answer[0], ['b', 2.5, '']],
    [answer[0], ['b', 2.5]],
  ])
    assert.notEqual(difference(answer, other as unknown[][]), undefined, JSON.stringify(other));
});

test('labels of the benchmark are as many as were asked for, all different, and one record in ten thousand or in ten has a rare one', () => {
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
