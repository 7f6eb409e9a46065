import type { CodeRange } from '../values/re2-text.ts';

/**
 * A regular expression of the accepted subset, which a linear-time engine can run: literals, classes, groups,
 * alternation and quantifiers. It always matches from the first character to the last.
 */
export type RegexNode =
  | { type: 'sequence'; items: RegexNode[] }
  | { type: 'either'; options: RegexNode[] }
  | { type: 'repeat'; item: RegexNode; min: number; max: number | null }
  /** One character. `negated` with no ranges is any character. */
  | { type: 'class'; negated: boolean; ranges: CodeRange[] };
