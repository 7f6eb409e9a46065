import { randomInt } from 'node:crypto';
import { runFile, runInShares, wholeNumberIn } from './run-in-shares.ts';
import { stopSignal } from './stop-signal.ts';

/**
 * Looks for traces of hidden records, in a million pairs of answers and in the time that look-ups take. Shows the seed: a
 * run with the same one asks the same again. REDOUBT_WORLDS_SEED, REDOUBT_WORLDS_PAIRS and REDOUBT_WORLDS_TIMING (look-ups
 * of either kind) say otherwise.
 */
const stopped = stopSignal();

const seed = wholeNumberIn('REDOUBT_WORLDS_SEED', randomInt(1, 2 ** 31));
const pairs = wholeNumberIn('REDOUBT_WORLDS_PAIRS', 1_000_000);
const env = {
  ...process.env,
  REDOUBT_WORLDS_TIMING: String(wholeNumberIn('REDOUBT_WORLDS_TIMING', 10_000)),
};
console.log(`REDOUBT_WORLDS_SEED=${seed} REDOUBT_WORLDS_PAIRS=${pairs}`);

// By itself and first, since times are compared.
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
    casesOfSeed: 200,
  },
  env,
  stopped,
);
