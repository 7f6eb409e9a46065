import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitSeeds, wholeNumberIn } from './run-in-shares.ts';

const seeded = (count: number, casesOfSeed: number) => ({
  count: { variable: 'COUNT', value: count },
  seed: { variable: 'SEED', value: 7 },
  casesOfSeed,
});

test('shares have the seeds and the cases of one run, each seed once', () => {
  assert.deepEqual(splitSeeds(seeded(200, 1), 2), [
    { first: 7, cases: 100 },
    { first: 107, cases: 100 },
  ]);
  assert.deepEqual(splitSeeds(seeded(1001, 200), 2), [
    { first: 7, cases: 600 },
    { first: 10, cases: 401 },
  ]);
});

test('a share without a case is left out', () => {
  assert.deepEqual(splitSeeds(seeded(150, 200), 2), [{ first: 7, cases: 150 }]);
});

test('what is no whole number in an environment variable is refused', () => {
  const variable = 'REDOUBT_TEST_OF_NUMBERS';
  try {
    assert.equal(wholeNumberIn(variable, 7), 7);
    process.env[variable] = '200000';
    assert.equal(wholeNumberIn(variable, 7), 200_000);
    for (const text of ['200k', '', '0', '-1', '1.5', '1e6']) {
      process.env[variable] = text;
      assert.throws(
        () => wholeNumberIn(variable, 7),
        new RangeError(`${variable} has to be a whole number from 1 on, and is "${text}".`),
      );
    }
  } finally {
    delete process.env[variable];
  }
});
