import { randomInt } from 'node:crypto';
import { runFile, runInShares, readPositiveInteger } from './run-in-shares.ts';
import { stopSignal } from './stop-signal.ts';

/**
 * Searches for traces of hidden records in a million pairs of responses, and in the time that lookups take. Prints the
 * seed: a run with the same seed sends the same requests. REDOUBT_WORLDS_SEED sets the seed, REDOUBT_WORLDS_PAIRS the
 * number of pairs, and REDOUBT_WORLDS_TIMING the number of lookups of each kind.
 */
const stopped = stopSignal();

const seed = readPositiveInteger('REDOUBT_WORLDS_SEED', randomInt(1, 2 ** 31));
const pairs = readPositiveInteger('REDOUBT_WORLDS_PAIRS', 1_000_000);
const env = {
  ...process.env,
  REDOUBT_WORLDS_TIMING: String(readPositiveInteger('REDOUBT_WORLDS_TIMING', 10_000)),
};
console.log(`REDOUBT_WORLDS_SEED=${seed} REDOUBT_WORLDS_PAIRS=${pairs}`);

// Runs first and alone, because it compares times.
await runFile('testing/two-worlds/src/store/two-worlds-timing.test.ts', {
  env,
  execArgv: process.execArgv,
  signal: stopped,
});
await runInShares(
  {
    file: 'testing/two-worlds/src/store/two-worlds.test.ts',
    count: { variable: 'REDOUBT_WORLDS_PAIRS', value: pairs },
    seed: { variable: 'REDOUBT_WORLDS_SEED', value: seed },
    casesPerSeed: 200,
  },
  env,
  stopped,
);
