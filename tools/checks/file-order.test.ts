import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { orderFiles } from './file-order.ts';

const files = globSync('tools/checks/*.test.ts');

test('the order of files follows the seed, and begins with the long ones', () => {
  const [one, again, other] = ['a', 'a', 'b'].map((seed) => orderFiles(files, { seed }));
  assert.deepEqual(one, again);
  assert.notDeepEqual(one, other);
  assert.deepEqual(one?.toSorted(), files.toSorted());
  const last = one?.at(-1);
  assert.equal(orderFiles(files, { seed: 'a', long: last })[0], last);
});
