import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathsOfRecords } from './paths-of-records.ts';

test('records are listed with the paths of all their members, inside arrays too', () => {
  assert.deepEqual(
    pathsOfRecords([
      { b: 1, a: { c: null, 'd.e': [] } },
      { a: [{ f: 1 }, [{ g: 2 }]], b: 'x' },
    ]),
    ['a', 'a.c', 'a.d.e', 'a.f', 'a.g', 'b'],
  );
  assert.deepEqual(pathsOfRecords([]), []);
});
