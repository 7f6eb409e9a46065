import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { lastLag } from './lag.ts';

const segment = (number: number, lag: string | undefined, isOpen = false) => ({
  id: `s${String(number)}`,
  status: isOpen ? ('running' as const) : ('completed' as const),
  config: { number, ...(lag !== undefined && { lag }) },
});

test('the lag is that of the segment with the highest number, in whatever order they come', () => {
  const known = lastLag([segment(10, '3'), segment(9, '7')], undefined);
  deepEqual(known, { messages: 3, number: 10, open: [] });
  deepEqual(lastLag([], undefined), { messages: undefined, number: 0, open: [] });
});

test('a later part replaces the lag, and one that is still read does not', () => {
  const known = lastLag([segment(10, '3'), segment(11, undefined, true)], undefined);
  deepEqual(known, { messages: 3, number: 10, open: ['s11'] });
  deepEqual(lastLag([segment(11, undefined, true)], known), known);
  deepEqual(lastLag([segment(11, '0'), segment(12, undefined, true)], known), {
    messages: 0,
    number: 11,
    open: ['s12'],
  });
});
