import type { RegexNode } from './regex-node.ts';

/** Where a leaf stands in the expression: the 1-based number of its first character (code point). */
interface Placed {
  at: number;
}

/** The field of a leaf: a path (keys joined with "."), or null for any field. */
interface OnField extends Placed {
  field: string | null;
}

/** A word or a phrase: the meaning is the same, its tokens in a row in one value. */
export interface TermNode extends OnField {
  type: 'term';
  text: string;
}

/** `*` is any number of characters, `?` is one. Texts between them are unescaped. */
export type PatternPart = { any: true } | { one: true } | { text: string };

export interface PatternNode extends OnField {
  type: 'pattern';
  parts: PatternPart[];
}

export interface RegexLeafNode extends OnField {
  type: 'regex';
  regex: RegexNode;
}

export interface Bound {
  text: string;
  inclusive: boolean;
}

/** A bound that is null is open. */
export interface RangeNode extends Placed {
  type: 'range';
  field: string;
  lower: Bound | null;
  upper: Bound | null;
}

export interface ExistsNode extends Placed {
  type: 'exists';
  field: string;
}

export interface AllNode {
  type: 'all';
}

export type Occur = 'must' | 'should' | 'mustNot';

export interface Clause {
  occur: Occur;
  node: LuceneNode;
}

/**
 * All of `must`, none of `mustNot`, and at least one `should` when there is no `must`. A group of `mustNot` alone matches
 * every record that matches none of them.
 */
export interface BooleanNode {
  type: 'boolean';
  clauses: Clause[];
}

export type LuceneNode =
  | AllNode
  | BooleanNode
  | ExistsNode
  | PatternNode
  | RangeNode
  | RegexLeafNode
  | TermNode;
