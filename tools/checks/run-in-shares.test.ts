import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitSeeds, readPositiveInteger } from './run-in-shares.ts';

const seeded = (count: number, casesPerSeed: number) => ({
  count: { variable: 'COUNT', value: count },
  seed: { variable: 'SEED', value: 7 },
  casesPerSeed,
});

test('the shares together have the seeds and cases of one run, each seed once', () => {
  assert.deepEqual(splitSeeds(seeded(200, 1), 2), [
    { first: 7, cases: 100 },
    { first: 107, cases: 100 },
  ]);
  assert.deepEqual(splitSeeds(seeded(1001, 200), 2), [
    { first: 7, cases: 600 },
    { first: 10, cases: 401 },
  ]);
});

test('shares without cases are left out', () => {
  assert.deepEqual(splitSeeds(seeded(150, 200), 2), [{ first: 7, cases: 150 }]);
});

test('an environment variable that is not a positive whole number is rejected', () => {
  const variable = 'REDOUBT_TEST_OF_NUMBERS';
  try {
    assert.equal(readPositiveInteger(variable, 7), 7);
    process.env[variable] = '200000';
    assert.equal(readPositiveInteger(variable, 7), 200_000);
    for (const text of ['200k', '', '0', '-1', '1.5', '1e6']) {
      process.env[variable] = text;
      assert.throws(
        () => readPositiveInteger(variable, 7),
        new RangeError(`${variable} must be a positive whole number, got "${text}". Change it or unset it.`),
      );
    }
  } finally {
    delete process.env[variable];
  }
});
