import type { RegexNode } from './regex-node.ts';

/** The largest product of nested counted repetitions. */
export function maxRepetition(regex: RegexNode): number {
  switch (regex.type) {
    case 'class':
      return 1;
    case 'sequence':
      return maxOf(regex.items);
    case 'either':
      return maxOf(regex.options);
    case 'repeat':
      return Math.max(1, regex.max ?? regex.min) * maxRepetition(regex.item);
  }
}

const maxOf = (nodes: RegexNode[]): number =>
  nodes.reduce((max, node) => Math.max(max, maxRepetition(node)), 1);

/**
 * Estimates the number of states of the engine's automaton, with counted repetitions expanded. Characters outside ASCII
 * count more, because the automaton needs states for each of their bytes, in both letter cases.
 */
export function regexSize(regex: RegexNode): number {
  switch (regex.type) {
    case 'class':
      return regex.ranges.reduce((sum, [, to]) => sum + (to < 0x80 ? 1 : 6), regex.negated ? 4 : 0);
    case 'sequence':
      return regex.items.reduce((sum, item) => sum + regexSize(item), 1);
    case 'either':
      return regex.options.reduce((sum, option) => sum + regexSize(option), 1);
    case 'repeat':
      return Math.max(1, regex.max ?? regex.min) * regexSize(regex.item) + 1;
  }
}
