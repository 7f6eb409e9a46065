/* Shows: L14 */
import { readTestEffort } from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { SecurityLabelInfo } from '@redoubt/labels';
import { parseLucene, parseSql } from '@redoubt/query';
import { createRandom } from '@redoubt/testkit';
import { quantile, rank } from './rank-test.ts';
import { openTestStore, textOf, type TestStore } from '@redoubt/records/testing';

/** The number of lookups of each kind. Times are judged only with thousands, which take minutes on an idle machine. */
const lookups = readTestEffort('REDOUBT_WORLDS_TIMING', 20);
const isJudged = lookups >= 1000;
const records = readTestEffort('REDOUBT_WORLDS_TIMING_RECORDS', isJudged ? 50_000 : 2000);
const writeSize = Math.min(10_000, records);

/** How much longer lookups of hidden records may take than lookups of absent ones. */
interface Bound {
  /** The maximum difference between the medians. */
  readonly milliseconds: number;
  /** The fraction of pairs, beyond one half, in which one kind may be slower. */
  readonly superiority: number;
}

/** The bound on ranks is strict. The one on medians is loose, because they differ by chance on a busy machine. */
const alike: Bound = { milliseconds: 1, superiority: 0.05 };

/**
 * The bound for searches by the word index, which skips granules (8,192 records) without the searched word. The index
 * includes words of hidden records, so a search for such a word reads one granule more than a search for an absent
 * word, whatever the size of the dataset.
 */
const oneGranule: Bound = { milliseconds: 3, superiority: 0.5 };

const numberOf = (n: number): number => 2 * ((n * 7919) % (records / 2)) + 1;

/** Times lookups of both kinds in random order. */
const compare = async (
  show: (line: string) => void,
  hidden: (n: number) => string,
  absent: (n: number) => string,
  lookUp: (what: string) => Promise<string>,
  bound: Bound = alike,
): Promise<void> => {
  const random = createRandom(1);
  const times: { hidden: number[]; absent: number[] } = { hidden: [], absent: [] };
  const once = async (kind: 'hidden' | 'absent', what: string): Promise<void> => {
    const start = performance.now();
    const text = await lookUp(what);
    times[kind].push(performance.now() - start);
    assert.equal(text, '', what);
  };
  for (let n = 0; n < 50; n += 1) await lookUp(absent(n));
  for (let n = 0; n < lookups; n += 1) {
    const order = random.chance(0.5) ? (['hidden', 'absent'] as const) : (['absent', 'hidden'] as const);
    for (const kind of order) await once(kind, kind === 'hidden' ? hidden(n) : absent(n));
  }
  if (!isJudged) return;
  const { superiority, deviations } = rank(times.hidden, times.absent);
  const parts = [0.05, 0.25, 0.5, 0.75, 0.95];
  const line = (list: readonly number[]): string =>
    parts.map((part) => quantile(list, part).toFixed(3)).join(' ');
  show(
    `n ${String(lookups)}; quantiles 5 25 50 75 95 % in ms: hidden ${line(times.hidden)}, absent ${line(times.absent)}; hidden above absent ${superiority.toFixed(4)}, ${deviations.toFixed(1)} standard deviations`,
  );
  const medians = quantile(times.hidden, 0.5) - quantile(times.absent, 0.5);
  assert.ok(Math.abs(medians) <= bound.milliseconds, `the medians differ by ${medians.toFixed(3)} ms`);
  // Differences that a few lookups could show by chance do not count.
  const chance = 4 * Math.sqrt(1 / (6 * lookups));
  assert.ok(
    Math.abs(superiority - 0.5) <= bound.superiority + chance,
    `${(superiority * 100).toFixed(1)} % of the look-ups of hidden records take longer`,
  );
};

const absentId = (): string => {
  const hex = randomBytes(16).toString('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-7$3-8$4-$5');
};

describe('looking up a hidden record takes as long as looking up an absent one', () => {
  let t: TestStore;
  let datasetId: string;
  let hiddenIds: string[];
  before(async () => {
    t = await openTestStore();
    datasetId = await t.dataset();
    const labelInfo: SecurityLabelInfo = {
      fields: ['label'],
      parserClassName: 'identity-parser',
      labelHandlingPolicy: 'replace',
      replacementString: 'RED',
    };
    for (let from = 0; from < records; from += writeSize) {
      const rows = Array.from({ length: writeSize }, (_, index) => {
        const number = from + index;
        const isHidden = number % 2 === 1;
        return { key: `${isHidden ? 'h' : 'v'}${String(number)}`, number, label: isHidden ? 'BLUE' : 'RED' };
      });
      await t.write(datasetId, rows, { labelInfo });
    }
    const all = await t.records(datasetId, 'RED', 'BLUE');
    hiddenIds = all
      .filter(({ label }) => label === 'BLUE')
      .map((record) => String(record['_koverse_record_id']));
  });
  after(async () => {
    await t.close();
  });

  const visible = () => t.visible(datasetId, 'RED');
  test('a look-up by id does not tell by its time whether the record is hidden or absent', async (context) => {
    await compare(
      (line) => {
        context.diagnostic(line);
      },
      (n) => hiddenIds[(n * 7919) % hiddenIds.length] ?? '',
      (n) => `${(hiddenIds[(n * 104_729) % hiddenIds.length] ?? '').slice(0, 13)}${absentId().slice(13)}`,
      async (id) =>
        textOf(t.store.sequence({ datasetId, visible: await visible(), from: id, until: id, limit: 1 }).rows),
    );
  });

  test('a search for a value that a hidden record has takes longer by the reading of one granule at most', async (context) => {
    await compare(
      (line) => {
        context.diagnostic(line);
      },
      (n) => `key:h${String(numberOf(n))}`,
      (n) => `key:x${String(numberOf(n))}`,
      async (expression) => {
        const tree = parseLucene(expression);
        const { rows, total } = await t.store.search({
          datasetId,
          visible: await visible(),
          tree,
          limit: 10,
          offset: 0,
        });
        assert.equal(await total(), 0);
        return textOf(rows);
      },
      oneGranule,
    );
  });

  test('a statement about a value does not tell by its time whether a hidden record has it', async (context) => {
    await compare(
      (line) => {
        context.diagnostic(line);
      },
      (n) => `h${String(numberOf(n))}`,
      (n) => `x${String(numberOf(n))}`,
      async (key) => {
        const seen = await visible();
        const source = {
          id: datasetId,
          name: 'keys',
          visible: seen,
          fields: await t.store.fields(datasetId, seen),
        };
        const { rows } = await t.store.sql({
          parsed: await parseSql(`select key, number from keys where key = '${key}'`),
          find: () => source,
          limit: 10,
          offset: 0,
          internalFields: undefined,
          now: new Date(0),
          signal: new AbortController().signal,
        });
        return textOf(rows);
      },
    );
  });
});
