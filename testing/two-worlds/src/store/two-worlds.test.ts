/* Shows: L3 */
import { readTestEffort } from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRandom } from '@redoubt/testkit';
import { makePlan } from './plan.ts';
import { areAlike, queryBoth, questionText, smallestDifference } from './smallest-difference.ts';
import { openTwoStores } from './two-stores.ts';
import type { TwoStores } from './world.ts';
import { makeQuestion } from './world-requests.ts';

/** The number of pairs of responses to compare. */
const pairs = readTestEffort('REDOUBT_WORLDS_PAIRS', 1000, 150);
const firstSeed = readTestEffort('REDOUBT_WORLDS_SEED', 1);
/** The number of differences to show before a run stops. */
const mostShown = readTestEffort('REDOUBT_WORLDS_SHOWN', 3);
/** The number of requests about the same records. */
const questionsOfOneSeed = 200;
/** A long run prints its progress after this many pairs. */
const saysEach = 10_000;

let stores: TwoStores;
before(async () => {
  stores = await openTwoStores();
});
after(async () => {
  await stores.close();
});

test('random questions about random records get the same results with and without hidden records', async (context) => {
  const counts = { succeeded: 0, refused: 0, failed: 0 };
  const failures = new Set<string>();
  const shown: string[] = [];
  let count = 0;
  for (let seed = firstSeed; count < pairs && shown.length < mostShown; seed++) {
    const random = createRandom(seed);
    const plan = makePlan(random);
    const built = await stores.build(plan);
    for (let n = 0; n < questionsOfOneSeed && count < pairs && shown.length < mostShown; n++) {
      const question = makeQuestion(random, plan.held);
      const pair = await queryBoth(stores, built, question);
      count += 1;
      counts[pair[0].status] += 1;
      if (pair[0].status === 'failed') failures.add(`${pair[0].text}: ${questionText(question)}`);
      if (areAlike(pair)) continue;
      const where = `REDOUBT_WORLDS_SEED=${String(seed)}, question ${String(n)}`;
      shown.push(`${where}:\n${await smallestDifference(stores, plan, built, question)}`);
    }
    await stores.drop(built);
    if (count % saysEach === 0)
      process.stdout.write(
        `${String(count)} of ${String(pairs)}: ${JSON.stringify({ ...counts, different: shown.length })}\n`,
      );
  }
  context.diagnostic(`seeds from ${String(firstSeed)}: ${JSON.stringify(counts)}`);
  assert.deepEqual(shown, [], shown.join('\n'));
  assert.deepEqual([...failures], []);
  assert.ok(counts.succeeded > count / 2, `only ${String(counts.succeeded)} questions were answered`);
});
