import { randomInt } from 'node:crypto';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/**
 * Looks for traces of hidden records, in a million pairs of answers and in the time that look-ups take. Shows the seed: a
 * run with the same one asks the same again. REDOUBT_WORLDS_SEED, REDOUBT_WORLDS_PAIRS and REDOUBT_WORLDS_TIMING (look-ups
 * of either kind) say otherwise.
 */
const { env } = process;
env.REDOUBT_WORLDS_SEED ??= String(randomInt(2 ** 31));
env.REDOUBT_WORLDS_PAIRS ??= '1000000';
env.REDOUBT_WORLDS_TIMING ??= '10000';
console.log(
  `REDOUBT_WORLDS_SEED=${env.REDOUBT_WORLDS_SEED} REDOUBT_WORLDS_PAIRS=${env.REDOUBT_WORLDS_PAIRS}`,
);

// One after the other, since times are compared.
for (const file of ['two-worlds-timing', 'two-worlds']) {
  const events = run({ files: [`packages/records/src/${file}.test.ts`], execArgv: [...process.execArgv] });
  events.on('test:fail', () => {
    process.exitCode = 1;
  });
  for await (const line of events.compose(spec)) process.stdout.write(String(line));
}
