import type { InternedLabel } from '@redoubt/labels';
import type { CounterDelta } from './counters.ts';

export const expressionsById = (labels: readonly InternedLabel[]): [number, string][] =>
  labels.map(({ id, expression }) => [id, expression]);

export const expressionsOf = (labelIds: readonly number[], labels: readonly string[]): [number, string][] =>
  labelIds.map((id, index) => [id, labels[index] ?? '']);

/**
 * Counts the records that are stored under each label; removals are ignored.
 * @param expressions the expression of each label id
 */
export function countsByLabel(
  changes: readonly CounterDelta[],
  expressions: ReadonlyMap<number, string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { labelId, count } of changes) {
    if (count < 0) continue;
    const expression = expressions.get(labelId);
    if (expression === undefined) throw new Error('A record has a label id without an expression.');
    counts.set(expression, (counts.get(expression) ?? 0) + count);
  }
  return counts;
}
