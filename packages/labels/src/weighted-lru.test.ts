import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createWeightedLru } from './weighted-lru.ts';

describe('the weighted LRU map', () => {
  test('the least recently used entry is evicted first', () => {
    const map = createWeightedLru<number>(3);
    map.set('a', 1, 1);
    map.set('b', 2, 1);
    map.set('c', 3, 1);
    assert.equal(map.get('a'), 1);
    map.set('d', 4, 2);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => map.get(key)),
      [1, undefined, undefined, 4],
    );
  });

  test('setting a key again replaces its value and its weight', () => {
    const map = createWeightedLru<number>(3);
    map.set('a', 1, 3);
    map.set('a', 2, 1);
    map.set('b', 3, 2);
    assert.equal(map.get('a'), 2);
    assert.equal(map.get('b'), 3);
  });

  test('the newest entry is kept, however heavy it is', () => {
    const map = createWeightedLru<number>(3);
    map.set('a', 1, 1);
    map.set('b', 2, 100);
    assert.equal(map.get('a'), undefined);
    assert.equal(map.get('b'), 2);
    map.set('c', 3, 3);
    assert.equal(map.get('b'), undefined);
    assert.equal(map.get('c'), 3);
  });

  test('a deleted entry is gone and weighs nothing', () => {
    const map = createWeightedLru<number>(3);
    map.set('a', 1, 3);
    map.delete('a');
    map.delete('never there');
    map.set('b', 2, 1);
    map.set('c', 3, 2);
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => map.get(key)),
      [undefined, 2, 3],
    );
  });
});
