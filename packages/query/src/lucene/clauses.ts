import type { Clause, LuceneNode } from './lucene-node.ts';

/** The operator before a clause. `none` means OR. */
export type Conjunction = 'and' | 'none' | 'or';

/** The sign before a clause: `+` (required), or one of `-`, `!` and NOT (prohibited). */
export type Modifier = 'none' | 'prohibited' | 'required';

/**
 * Adds a clause by the rules of the classic Lucene parser with the default operator OR. AND makes the clauses on both
 * sides required, so `a OR b AND c` means `a +b +c`. If a group has a required clause, its clauses without AND or a
 * sign are optional.
 */
export function addClause(
  clauses: Clause[],
  conjunction: Conjunction,
  modifier: Modifier,
  node: LuceneNode,
): void {
  const last = clauses.at(-1);
  if (conjunction === 'and' && last?.occur === 'should') last.occur = 'must';
  if (modifier === 'prohibited') clauses.push({ occur: 'mustNot', node });
  else clauses.push({ occur: modifier === 'required' || conjunction === 'and' ? 'must' : 'should', node });
}

/** Wraps clauses in a boolean node. A single clause that is not prohibited needs no wrapper. */
export function joinClauses(clauses: Clause[]): LuceneNode {
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined && only.occur !== 'mustNot'
    ? only.node
    : { type: 'boolean', clauses };
}
