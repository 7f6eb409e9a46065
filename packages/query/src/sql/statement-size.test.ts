import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import { kindBit, kinds } from '../storage/record-columns.ts';
import { compileSql } from './compile-sql.ts';
import type { SqlDataset } from './statement/compilation.ts';
import { parseSql } from './statement/parse-sql.ts';

/** A dataset with one timestamp and so many visible labels, whose numbers are as given. */
function dataset(pathId: number, firstLabel: number, labels: number): SqlDataset {
  const ids = Uint32Array.from({ length: labels }, (_, index) => firstLabel + index);
  const bits = new Uint8Array(Math.ceil((firstLabel + labels) / 8));
  const visible = { version: firstLabel + labels, size: labels, ids, bits, has: () => true, hidden: [] };
  const entry = { pathId, kinds: kindBit(kinds.timestamp) };
  const fields = [{ path: 'at', type: 'timestamp' as const, entry, topLevel: true }];
  return { id: 'ds', name: 'ds', table: { database: 'redoubt', datasetId: 'ds' }, visible, fields };
}

/** Whether a statement that grows with `length` is compiled. */
async function isTaken(length: number, source: SqlDataset): Promise<boolean> {
  const names = Array.from({ length: 20 }, (_, index) => `p p${String(index)}`);
  const text = `WITH p AS (SELECT '${'x'.repeat(length)}') SELECT at FROM ds, ${names.join(', ')}`;
  const request = {
    parsed: await parseSql(text),
    catalog: { find: () => source },
    now: new Date(0),
    limit: 10,
    offset: 0,
    columns: 'plain' as const,
  };
  try {
    compileSql(request);
    return true;
  } catch (fault) {
    assert.ok(fault instanceof RedoubtError && fault.message.includes('too large'), String(fault));
    return false;
  }
}

async function longest(source: SqlDataset): Promise<number> {
  let [taken, refused] = [0, 200_000];
  while (refused - taken > 1) {
    const middle = (taken + refused) >> 1;
    if (await isTaken(middle, source)) taken = middle;
    else refused = middle;
  }
  return taken;
}

test('how large a statement may be does not tell how many paths and labels others brought in', async () => {
  for (const labels of [1, 400]) {
    assert.equal(await longest(dataset(3, 0, labels)), await longest(dataset(9876, 54_321, labels)));
  }
});
