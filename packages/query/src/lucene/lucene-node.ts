import type { RegexNode } from './regex-node.ts';

/** The position of a leaf in the expression: the 1-based number of its first character (code point). */
interface Positioned {
  at: number;
}

/** The field of a leaf: a path (keys joined with "."), or null for any field. */
interface OnField extends Positioned {
  field: string | null;
}

/** A word or a phrase. Both match consecutive tokens in one value. */
export interface TermNode extends OnField {
  type: 'term';
  text: string;
}

/** `any` is `*`, any number of characters; `one` is `?`, one character; `text` is literal text without escapes. */
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

/** A null bound is open. */
export interface RangeNode extends Positioned {
  type: 'range';
  field: string;
  lower: Bound | null;
  upper: Bound | null;
}

export interface ExistsNode extends Positioned {
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
 * Matches a record if all `must` clauses match, no `mustNot` clause matches and, in a group without `must`, at least one
 * `should` clause matches. A group with only `mustNot` clauses matches every record that matches none of them.
 */
export interface BooleanNode {
  type: 'boolean';
  clauses: Clause[];
}

/** A parsed Lucene expression. `BooleanNode` contains other nodes; all others are leaves. */
export type LuceneNode =
  | AllNode
  | BooleanNode
  | ExistsNode
  | PatternNode
  | RangeNode
  | RegexLeafNode
  | TermNode;
