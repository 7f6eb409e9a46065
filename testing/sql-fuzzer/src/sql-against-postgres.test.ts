import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTestEffort } from '@redoubt/testkit';
import type { Comparison } from './comparison.ts';
import { createQueries } from './queries.ts';
import { createRandom } from '@redoubt/testkit';
import { ourText, shrink, treeText, type SqlTree } from './sql-tree.ts';
import { comparisonOfSuite, skip } from './suite.ts';

const queries = readTestEffort('REDOUBT_SQL_QUERIES', 1000);
const firstSeed = readTestEffort('REDOUBT_SQL_SEED', 1);
/** The seed of the records. */
const dataSeed = readTestEffort('REDOUBT_SQL_DATA', 1);
/** The number of differing statements to show before a run stops. */
const mostShown = readTestEffort('REDOUBT_SQL_SHOWN', 3);
/** The maximum fraction of statements that are not supported. */
const mostUnsupported = 0.1;
/** The maximum fraction of statements for which PostgreSQL, or the numerics of the engine, would fail. */
const mostRaised = 0.05;
const shrinkTries = 300;
/** A long run prints its progress after this many statements. */
const saysEach = 10_000;

describe('SQL returns what PostgreSQL returns', { skip }, () => {
  const comparison = comparisonOfSuite(dataSeed);

  /** Compares the order of rows only if the statement still has its ORDER BY, which shortening may remove. */
  const compare = (tree: SqlTree, ordered: boolean): Promise<Comparison> => {
    const text = treeText(tree);
    return comparison().compare(text, ordered && / order by 1\b/.test(text));
  };

  const smallest = async (tree: SqlTree, ordered: boolean, found: Comparison): Promise<string> => {
    const start = found.detail.slice(0, 14);
    const failing = async (candidate: SqlTree): Promise<boolean> => {
      const { kind, detail } = await compare(candidate, ordered);
      return kind === 'different' && detail.startsWith(start);
    };
    const least = await shrink(tree, failing, shrinkTries);
    const { kind, detail } = await compare(least, ordered);
    return kind === 'different'
      ? `${ourText(treeText(least))}\n    ${detail}`
      : `${ourText(treeText(tree))}\n    ${found.detail}, but not each time`;
  };

  test('generated statements over generated records return the rows that PostgreSQL returns', async (context) => {
    const counts: Record<Comparison['kind'], number> = {
      same: 0,
      unsupported: 0,
      refused: 0,
      raised: 0,
      different: 0,
    };
    const reasons = new Map<string, number>();
    const shown: string[] = [];
    for (let seed = firstSeed; seed < firstSeed + queries && shown.length < mostShown; seed++) {
      const { tree, ordered } = createQueries(createRandom(seed)).query();
      const found = await compare(tree, ordered);
      counts[found.kind] += 1;
      if (found.kind === 'different') {
        const one = `REDOUBT_SQL_SEED=${String(seed)}: ${await smallest(tree, ordered, found)}`;
        shown.push(one);
        // Print the difference at once, because a long run takes an hour.
        process.stdout.write(`${one}\n`);
      }
      if (found.kind === 'unsupported' || found.kind === 'refused') {
        const reason = found.detail.replace(/ \(character \d+\)/, '');
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      const done = seed + 1 - firstSeed;
      if (done % saysEach === 0)
        process.stdout.write(`${String(done)} of ${String(queries)}: ${JSON.stringify(counts)}\n`);
    }
    const often = [...reasons].toSorted(([, a], [, b]) => b - a).slice(0, 20);
    context.diagnostic(
      `${JSON.stringify(counts)} ${often.map(([reason, count]) => `${String(count)}× ${reason}`).join(' ')}`,
    );
    assert.deepEqual(shown, [], shown.join('\n'));
    const succeeded = counts.same + counts.raised + counts.unsupported + counts.refused;
    assert.ok(
      counts.unsupported <= succeeded * mostUnsupported,
      `${String(counts.unsupported)} of ${String(succeeded)} statements are not supported`,
    );
    assert.ok(
      counts.raised <= 3 + succeeded * mostRaised,
      `${String(counts.raised)} of ${String(succeeded)} statements cannot be compared`,
    );
    assert.ok(counts.same > queries / 2, `only ${String(counts.same)} statements were compared`);
  });
});
