/** A range of code points, both ends included. */
export type CodeRange = readonly [number, number];

/**
 * A regular expression in the supported subset, which a linear-time engine can run: literals, classes, groups,
 * alternation and quantifiers. It always matches a whole text.
 */
export type RegexNode =
  | { type: 'sequence'; items: RegexNode[] }
  | { type: 'either'; options: RegexNode[] }
  | { type: 'repeat'; item: RegexNode; min: number; max: number | null }
  /** One character. `negated` without ranges means any character. */
  | { type: 'class'; negated: boolean; ranges: CodeRange[] };
