import { evaluateLabel } from '../expression/evaluate-label.ts';
import type { LabelExpression } from '../expression/label-expression.ts';
import { parseLabel } from '../expression/parse-label.ts';
import { removeNestedPaths, isHiddenPath } from './hidden-columns.ts';

/**
 * The labels of a dataset's columns by path: a reader who does not satisfy all of a column's labels sees neither it nor
 * what is inside it. Labels are canonical and not empty.
 */
export type ColumnLabels = ReadonlyMap<string, readonly string[]>;

/** The text that column labels are kept as: equal for equal labels. */
export const serializeColumnLabels = (labels: ColumnLabels): string =>
  JSON.stringify([...labels].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** @throws Error for a text that `serializeColumnLabels` did not make: where labels cannot be read, nothing is answered */
export function parseColumnLabels(text: string): ColumnLabels {
  const entries = JSON.parse(text) as unknown;
  if (!Array.isArray(entries) || !entries.every(isEntry)) throw new Error('Column labels cannot be read.');
  return new Map(entries);
}

const isEntry = (entry: unknown): entry is [string, string[]] =>
  Array.isArray(entry) &&
  entry.length === 2 &&
  typeof entry[0] === 'string' &&
  Array.isArray(entry[1]) &&
  entry[1].every((label) => typeof label === 'string' && label !== '');

const both = (before: readonly string[], label: string): string[] =>
  [...new Set([...before, label])].toSorted();

/** The labels with others added: whoever did not see a column before does not see it now. */
export function addColumnLabels(labels: ColumnLabels, added: ReadonlyMap<string, string>): ColumnLabels {
  const tightened = new Map(labels);
  for (const [path, label] of added) {
    if (label !== '') tightened.set(path, both(tightened.get(path) ?? [], label));
  }
  return tightened;
}

/**
 * The labels as somebody with these attributes may change them: the labels of a column that they see give way to the new one
 * (or to none where it is the empty text); those of a column that they do not see all stay, and the new one is added to
 * them. One of several labels counts as the part of a label that it is: it does not give way alone.
 */
export function replaceColumnLabels(
  labels: ColumnLabels,
  wanted: ReadonlyMap<string, string>,
  attributes: ReadonlySet<string>,
): ColumnLabels {
  const hidden = findHiddenColumns(labels, attributes);
  const changed = new Map(labels);
  for (const [path, label] of wanted) {
    const kept = isHiddenPath(hidden, path) ? (labels.get(path) ?? []) : [];
    const next = label === '' ? kept : both(kept, label);
    if (next.length === 0) changed.delete(path);
    else changed.set(path, next);
  }
  return changed;
}

/**
 * The columns that somebody with these attributes does not see, sorted; none of them is inside another. A label that
 * cannot be read is satisfied by nobody.
 */
export function findHiddenColumns(labels: ColumnLabels, attributes: ReadonlySet<string>): readonly string[] {
  if (labels.size === 0) return noColumns;
  const hidden = [...labels].filter(([, all]) => !all.every((label) => satisfies(label, attributes)));
  return hidden.length === 0 ? noColumns : removeNestedPaths(hidden.map(([path]) => path));
}

const noColumns: readonly string[] = [];

function satisfies(label: string, attributes: ReadonlySet<string>): boolean {
  let expression: LabelExpression;
  try {
    expression = parseLabel(label);
  } catch {
    return false;
  }
  return expression.kind !== 'empty' && evaluateLabel(expression, attributes);
}
