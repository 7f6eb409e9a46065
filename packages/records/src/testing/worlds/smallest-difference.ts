import { ourText, shrink, treeText } from '../sql/sql-tree.ts';
import { askWorld, type WorldAnswer } from './ask-world.ts';
import type { Plan, Step } from './plan.ts';
import type { Built, TwoStores } from './two-stores.ts';
import type { WorldQuestion } from './world-requests.ts';

/** What both worlds have answered. */
export type Pair = readonly [WorldAnswer, WorldAnswer];

/** Failures say in the log what has failed; a reader is told none of it. */
const told = ({ status, text }: WorldAnswer): string => (status === 'failed' ? status : `${status} ${text}`);

export const areAlike = ([first, second]: Pair): boolean => told(first) === told(second);

export const askBoth = async ({ worlds }: TwoStores, built: Built, question: WorldQuestion): Promise<Pair> =>
  Promise.all([askWorld(worlds[0], built, question), askWorld(worlds[1], built, question)]);

const statementTries = 150;
const recordTries = 80;

/** Each record as a step of its own, so that any of them may be left out. */
const oneByOne = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) =>
    step.replaces === undefined ? step.records.map((record) => ({ ...step, records: [record] })) : [step],
  );

/** Leaves out halves, quarters and so on of the steps that are `of` this kind, as long as it still fails. */
async function fewer(
  plan: Plan,
  of: (step: Step) => boolean,
  fails: (plan: Plan) => Promise<boolean>,
): Promise<Plan> {
  let smallest = plan;
  let tries = recordTries;
  let size = Math.ceil(smallest.steps.filter(of).length / 2);
  while (size >= 1) {
    let hasShrunk = false;
    for (let from = 0; from < smallest.steps.filter(of).length;) {
      const out = new Set(smallest.steps.filter(of).slice(from, from + size));
      const candidate = { ...smallest, steps: smallest.steps.filter((step) => !out.has(step)) };
      if (tries-- <= 0) return smallest;
      if (await fails(candidate)) {
        smallest = candidate;
        hasShrunk = true;
      } else {
        from += size;
      }
    }
    if (size === 1 && !hasShrunk) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return smallest;
}

export const questionText = (question: WorldQuestion): string =>
  JSON.stringify(
    question.kind === 'sql' ? { ...question, tree: ourText(treeText(question.tree)) } : question,
  );

const shown = (text: string): string =>
  text.length > 1500 ? `${text.slice(0, 1500)}… (${String(text.length)})` : text;

/** The smallest question and the fewest records with which the worlds still differ, in words. */
export async function smallestDifference(
  stores: TwoStores,
  plan: Plan,
  built: Built,
  question: WorldQuestion,
): Promise<string> {
  let least = question;
  if (question.kind === 'sql') {
    const differs = async (tree: typeof question.tree): Promise<boolean> =>
      !areAlike(await askBoth(stores, built, { ...question, tree }));
    least = { ...question, tree: await shrink(question.tree, differs, statementTries) };
  }
  const fails = async (candidate: Plan): Promise<boolean> => {
    const again = await stores.build(candidate);
    try {
      return !areAlike(await askBoth(stores, again, least));
    } finally {
      await stores.drop(again);
    }
  };
  let few: Plan = { ...plan, steps: oneByOne(plan.steps) };
  // What lies in one write may matter.
  if (!(await fails(few))) few = plan;
  few = await fewer(few, ({ hidden }) => hidden, fails);
  few = await fewer(few, ({ hidden }) => !hidden, fails);
  const again = await stores.build(few);
  const [first, second] = await askBoth(stores, again, least);
  await stores.drop(again);
  const records = few.steps.map(
    (step) =>
      `    ${step.hidden ? 'hidden ' : 'visible'} ${step.table} [${step.label ?? ''}]${step.replaces === undefined ? '' : ` replaces ${step.replaces}`}${step.hides === undefined ? '' : ` then [${step.hides}]`} ${shown(step.records.join(','))}`,
  );
  return [
    `  reader [${few.held.join(', ')}] asks ${questionText(least)}`,
    ...records,
    `    without: ${shown(`${first.status} ${first.text}`)}`,
    `    with:    ${shown(`${second.status} ${second.text}`)}`,
  ].join('\n');
}
