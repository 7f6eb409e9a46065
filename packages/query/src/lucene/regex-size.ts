import type { RegexNode } from './regex-node.ts';

/** The largest product of counted repetitions inside each other. */
export function largestRepetition(regex: RegexNode): number {
  switch (regex.type) {
    case 'class':
      return 1;
    case 'sequence':
      return largestOf(regex.items);
    case 'either':
      return largestOf(regex.options);
    case 'repeat':
      return Math.max(1, regex.max ?? regex.min) * largestRepetition(regex.item);
  }
}

const largestOf = (nodes: RegexNode[]): number =>
  nodes.reduce((most, node) => Math.max(most, largestRepetition(node)), 1);

/**
 * How many characters an engine holds states for when repetitions are written out. Characters beyond ASCII take several
 * bytes, and more with both cases.
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
