import type { PatternPart } from '../lucene/lucene-node.ts';
import type { RegexNode } from '../lucene/regex-node.ts';
import { spendSteps, type StepBudget } from './step-budget.ts';

/** A state reads one character that passes its test, or reads nothing. Both lead to all states in `next`. */
interface State {
  test: RegExp | undefined;
  next: number[];
}

const accepted = 0;

const codeText = (code: number): string => `\\u{${code.toString(16)}}`;

const classPattern = ({ negated, ranges }: Extract<RegexNode, { type: 'class' }>, flags: string): RegExp => {
  const members = ranges.map(([from, to]) => `${codeText(from)}-${codeText(to)}`).join('');
  return new RegExp(`^[${negated ? '^' : ''}${members}]$`, flags);
};

/** Adds the states of a node. Returns the number of its first state; its last one leads to `next`. */
function addStates(states: State[], node: RegexNode, next: number, flags: string): number {
  switch (node.type) {
    case 'class':
      return states.push({ test: classPattern(node, flags), next: [next] }) - 1;
    case 'sequence':
      return node.items.reduceRight((after, item) => addStates(states, item, after, flags), next);
    case 'either': {
      const starts = node.options.map((option) => addStates(states, option, next, flags));
      return states.push({ test: undefined, next: starts }) - 1;
    }
    case 'repeat': {
      let start = next;
      if (node.max === null) {
        const loop: State = { test: undefined, next: [next] };
        start = states.push(loop) - 1;
        loop.next.push(addStates(states, node.item, start, flags));
      }
      for (let count = node.min; count < (node.max ?? node.min); count++) {
        const inner = addStates(states, node.item, start, flags);
        start = states.push({ test: undefined, next: [inner, next] }) - 1;
      }
      for (let count = 0; count < node.min; count++) start = addStates(states, node.item, start, flags);
      return start;
    }
  }
}

/** Follows all states that read nothing. Returns the states that read a character, and `accepted` if it is reached. */
function reach(states: readonly State[], from: readonly number[], budget: StepBudget): Set<number> {
  const reached = new Set<number>();
  const seen = new Set<number>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    spendSteps(budget, 1);
    if (seen.has(id)) continue;
    seen.add(id);
    const state = states[id];
    if (id === accepted || state?.test !== undefined) reached.add(id);
    else open.push(...(state?.next ?? []));
  }
  return reached;
}

/**
 * Returns a function that tells whether a whole text matches a regular expression. It follows all states at once, so its
 * time is proportional to the length of the text and the number of states.
 */
export function createMatcher(
  node: RegexNode,
  isCaseless: boolean,
): (text: string, budget: StepBudget) => boolean {
  const states: State[] = [{ test: undefined, next: [] }];
  const first = [addStates(states, node, accepted, isCaseless ? 'iu' : 'u')];
  let start: Set<number> | undefined;
  return (text, budget) => {
    let current = (start ??= reach(states, first, budget));
    for (const character of text) {
      spendSteps(budget, current.size + 1);
      const next: number[] = [];
      for (const id of current) {
        const state = states[id];
        if (state?.test?.test(character) === true) next.push(...state.next);
      }
      if (next.length === 0) return false;
      current = reach(states, next, budget);
    }
    return current.has(accepted);
  };
}

const one: RegexNode = { type: 'class', negated: true, ranges: [] };
const any: RegexNode = { type: 'repeat', item: one, min: 0, max: null };

/** Converts a wildcard pattern to a regular expression. */
export const wildcardNode = (parts: readonly PatternPart[]): RegexNode => ({
  type: 'sequence',
  items: parts.flatMap((part): RegexNode[] => {
    if (!('text' in part)) return ['any' in part ? any : one];
    return Array.from(part.text, (character): RegexNode => {
      const code = character.codePointAt(0) ?? 0;
      return { type: 'class', negated: false, ranges: [[code, code]] };
    });
  }),
});
