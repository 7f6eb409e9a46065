import { ourText, shrink, treeText } from '@redoubt/sql-fuzzer';
import { queryWorld, type WorldResult } from './query-world.ts';
import type { Plan, Step } from './plan.ts';
import type { Built, TwoStores } from './world.ts';
import type { WorldQuestion } from './world-requests.ts';

/** The responses of both worlds. */
export type Pair = readonly [WorldResult, WorldResult];

/** The part of a response that the reader sees. Details of a server error are only in the log. */
const describe = ({ status, text }: WorldResult): string =>
  status === 'failed' ? status : `${status} ${text}`;

export const areAlike = ([first, second]: Pair): boolean => describe(first) === describe(second);

export const queryBoth = async (
  { worlds }: TwoStores,
  built: Built,
  question: WorldQuestion,
): Promise<Pair> =>
  Promise.all([queryWorld(worlds[0], built, question), queryWorld(worlds[1], built, question)]);

const statementTries = 150;
const recordTries = 120;

/** Removes halves, quarters and so on from a list, as long as the rest still fails. */
async function fewer<Item>(
  list: readonly Item[],
  fails: (left: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let smallest = list;
  for (let size = list.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < smallest.length;) {
      const left = smallest.filter((_, index) => index < from || index >= from + size);
      if (await fails(left)) smallest = left;
      else from += size;
    }
  }
  return smallest;
}

/** Shortens a plan as long as it still fails: first hidden steps and records, then visible ones. */
async function smallestPlan(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let smallest = plan;
  let tries = recordTries;
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    if (tries-- <= 0 || !(await fails({ ...plan, steps }))) return false;
    smallest = { ...plan, steps };
    return true;
  };
  for (const hidden of [true, false]) {
    const before = smallest.steps;
    await fewer(
      before.filter((step) => step.hidden === hidden),
      async (left) => attempt(before.filter((step) => step.hidden !== hidden || left.includes(step))),
    );
  }
  for (const place of smallest.steps.keys()) {
    const { steps } = smallest;
    const step = steps[place];
    if (step === undefined) continue;
    await fewer(step.records, async (records) =>
      records.length === 0
        ? false
        : attempt(steps.map((other, index) => (index === place ? { ...other, records } : other))),
    );
  }
  return smallest;
}

export const questionText = (question: WorldQuestion): string =>
  JSON.stringify(
    question.kind === 'sql' ? { ...question, tree: ourText(treeText(question.tree)) } : question,
  );

const shown = (text: string): string =>
  text.length > 1500 ? `${text.slice(0, 1500)}… (${String(text.length)})` : text;

const stepText = ({ hidden, table, label, shownFrom, replaces, hides, change, records }: Step): string => {
  const what =
    change === undefined
      ? [
          `[${shownFrom === undefined ? '' : `${shownFrom}] then [`}${label ?? ''}]`,
          replaces === undefined ? '' : ` replaces ${replaces}`,
          hides === undefined ? '' : ` then [${hides}]`,
        ].join('')
      : JSON.stringify(change);
  return `    ${hidden ? 'hidden ' : 'visible'} ${table} ${what} ${shown(records.join(','))}`;
};

/** Shortens a request and a plan as long as the worlds differ, and describes what remains. */
export async function smallestDifference(
  stores: TwoStores,
  plan: Plan,
  built: Built,
  question: WorldQuestion,
): Promise<string> {
  let least = question;
  if (question.kind === 'sql') {
    const differs = async (tree: typeof question.tree): Promise<boolean> =>
      !areAlike(await queryBoth(stores, built, { ...question, tree }));
    least = { ...question, tree: await shrink(question.tree, differs, statementTries) };
  }
  const fails = async (candidate: Plan): Promise<boolean> => {
    const again = await stores.build(candidate);
    try {
      return !areAlike(await queryBoth(stores, again, least));
    } finally {
      await stores.drop(again);
    }
  };
  const few = await smallestPlan(plan, fails);
  const again = await stores.build(few);
  const [first, second] = await queryBoth(stores, again, least);
  await stores.drop(again);
  const records = few.steps.map(stepText);
  return [
    `  reader [${few.held.join(', ')}] asks ${questionText(least)}`,
    ...records,
    `    without: ${shown(`${first.status} ${first.text}`)}`,
    `    with:    ${shown(`${second.status} ${second.text}`)}`,
  ].join('\n');
}
