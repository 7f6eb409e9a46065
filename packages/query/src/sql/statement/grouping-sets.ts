import type { GroupingSet, Node } from 'libpg-query';
import { unsupportedSql } from '../sql-compile-error.ts';
import { locationOf } from './syntax.ts';

/** Grouping sets, each a list of keys. */
type Sets = readonly (readonly Node[])[];

const maxSets = 64;

/** Whether GROUP BY has several groupings. */
export const hasGroupingSets = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => 'GroupingSet' in node);

/**
 * Expands GROUP BY to its groupings. Each item is one or more sets, and the result has all combinations of one set from
 * each item.
 */
export function expandGroupingSets(nodes: readonly Node[]): Sets {
  let sets: Sets = [[]];
  for (const node of nodes) {
    const next = setsOfItem(node);
    if (sets.length * next.length > maxSets) {
      throw unsupportedSql(
        `GROUP BY with more than ${String(maxSets)} grouping sets`,
        locationOf(node),
        'Use fewer sets, or several statements joined by UNION ALL.',
      );
    }
    sets = sets.flatMap((set) => next.map((further) => [...set, ...further]));
  }
  return sets;
}

const setsOfItem = (node: Node): Sets =>
  'GroupingSet' in node ? setsOfKind(node.GroupingSet) : [listOf(node)];

/** Splits `(a, b)` into its keys. */
const listOf = (node: Node): readonly Node[] => ('RowExpr' in node ? (node.RowExpr.args ?? []) : [node]);

function setsOfKind({ kind, content = [], location = 0 }: GroupingSet): Sets {
  if (kind === 'GROUPING_SET_EMPTY') return [[]];
  if (kind === 'GROUPING_SET_SETS') return content.flatMap(setsOfItem);
  if (kind === 'GROUPING_SET_CUBE') return subsets(content, location).map((items) => items.flatMap(listOf));
  if (kind !== 'GROUPING_SET_ROLLUP')
    throw unsupportedSql('this grouping set', location, 'Use ROLLUP, CUBE or GROUPING SETS.');
  return Array.from({ length: content.length + 1 }, (_, left) =>
    content.slice(0, content.length - left).flatMap(listOf),
  );
}

function subsets(items: readonly Node[], at: number): Sets {
  if (2 ** items.length > maxSets)
    throw unsupportedSql(
      `CUBE of ${String(items.length)} items`,
      at,
      'Use GROUPING SETS with those that you need.',
    );
  return Array.from({ length: 2 ** items.length }, (_, chosen) =>
    items.filter((_item, place) => (chosen & (1 << place)) === 0),
  );
}
