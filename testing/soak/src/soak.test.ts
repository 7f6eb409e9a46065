/* Shows: A-memory-level */
import { equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { growthOf, runSoak } from './soak.ts';

const spans = (...values: number[]) => values.map((value) => ({ resident: 1000, anonymous: value }));

test('a soak runs all its kinds of work, and every response is as expected', async () => {
  const { signal } = new AbortController();
  const size = { smallBatches: 2, largeRecords: 2, largestBytes: 300_000 };
  const watched = await runSoak({ size, seconds: 2, spanSeconds: 1, restMs: 50, signal });
  equal(watched.length, 2);
  for (const { resident, anonymous } of watched) ok(0 < anonymous && anonymous < resident);
});

test('a soak fails when memory grows by more than a tenth from its second quarter to its last', () => {
  equal(growthOf(spans(900, 900, 500, 510, 520, 510, 530, 540)), undefined);
  match(
    growthOf(spans(300, 400, 500, 510, 520, 510, 570, 580)) ?? '',
    /anonymous memory grew from 510 to 580 MB/,
  );
});
