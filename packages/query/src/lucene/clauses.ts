import type { Clause, LuceneNode } from './lucene-node.ts';

/** The operator written before a clause; none is OR. */
export type Conjunction = 'and' | 'none' | 'or';

/** The sign written before a clause: `+`, or one of `-`, `!` and NOT. */
export type Modifier = 'none' | 'prohibited' | 'required';

/**
 * Adds a clause as the classic Lucene parser does with the default operator OR: AND makes the clauses on both its sides
 * required, so `a OR b AND c` is `a +b +c`, and a required clause makes those that are neither required nor prohibited
 * optional.
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

/** The node of a list of clauses; a single optional or required one stands for itself. */
export function joinClauses(clauses: Clause[]): LuceneNode {
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined && only.occur !== 'mustNot'
    ? only.node
    : { type: 'boolean', clauses };
}
