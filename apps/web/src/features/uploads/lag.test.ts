import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { lagOf } from './lag.ts';

test('the lag is that of the segment with the highest number, in whatever order they come', () => {
  equal(
    lagOf([{ config: { number: 10, lag: '0' } }, { config: { number: 9, lag: '7' } }, { config: {} }]),
    0,
  );
  equal(lagOf([{ config: { number: 9, lag: '7' } }, { config: { number: 10, lag: '2' } }]), 2);
  equal(lagOf([{ config: null }, { config: { name: 'a.csv' } }]), undefined);
  equal(lagOf([]), undefined);
});
