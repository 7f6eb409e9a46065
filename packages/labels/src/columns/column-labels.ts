import { toCanonicalLabel } from '../expression/canonical-label.ts';
import { evaluateLabel } from '../expression/evaluate-label.ts';
import type { LabelExpression } from '../expression/label-expression.ts';
import { parseLabel } from '../expression/parse-label.ts';
import { removeNestedPaths, isHiddenPath } from './hidden-columns.ts';

/**
 * The labels of a dataset's columns, by path. A column, and everything inside it, is hidden from a reader who does not
 * satisfy all of its labels. Labels are canonical and not empty.
 */
export type ColumnLabels = ReadonlyMap<string, readonly string[]>;

/** Serializes column labels as JSON for storage. Equal labels give equal text. */
export const serializeColumnLabels = (labels: ColumnLabels): string =>
  JSON.stringify([...labels].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Parses the text of `serializeColumnLabels`.
 * @throws Error for any other text, so that no request is served with column labels that are unknown
 */
export function parseColumnLabels(text: string): ColumnLabels {
  const entries = JSON.parse(text) as unknown;
  if (!Array.isArray(entries) || !entries.every(isEntry))
    throw new Error('Stored column labels are invalid: expected a list of paths with their labels.');
  return new Map(entries);
}

const isEntry = (entry: unknown): entry is [string, string[]] =>
  Array.isArray(entry) &&
  entry.length === 2 &&
  typeof entry[0] === 'string' &&
  Array.isArray(entry[1]) &&
  entry[1].every((label) => typeof label === 'string' && label !== '');

const withLabel = (before: readonly string[], label: string): string[] =>
  [...new Set([...before, label])].toSorted();

/**
 * Adds labels to columns; an empty text adds none. A column that was hidden from a reader stays hidden, because a
 * reader must satisfy all labels of a column.
 */
export function addColumnLabels(labels: ColumnLabels, added: ReadonlyMap<string, string>): ColumnLabels {
  const tightened = new Map(labels);
  for (const [path, label] of added) {
    if (label !== '') tightened.set(path, withLabel(tightened.get(path) ?? [], label));
  }
  return tightened;
}

/**
 * Replaces labels of columns, as far as an actor with these attributes may do so. On a column that is visible to the
 * actor, the new label replaces all old labels, and an empty text removes them. On a column that is hidden from the
 * actor, the old labels stay and the new label is added.
 */
export function replaceColumnLabels(
  labels: ColumnLabels,
  changes: ReadonlyMap<string, string>,
  attributes: ReadonlySet<string>,
): ColumnLabels {
  const hidden = findHiddenColumns(labels, attributes);
  const changed = new Map(labels);
  for (const [path, label] of changes) {
    const kept = isHiddenPath(hidden, path) ? (labels.get(path) ?? []) : [];
    const next = label === '' ? kept : withLabel(kept, label);
    if (next.length === 0) changed.delete(path);
    else changed.set(path, next);
  }
  return changed;
}

/**
 * Returns the paths of the columns that are hidden from a reader with these attributes, sorted, without paths inside
 * other returned paths. A label that cannot be parsed hides its column from everybody.
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

/** The label that a reader satisfies if they satisfy all of these; the empty label for none. */
export const joinColumnLabels = (labels: readonly string[]): string => {
  const [first, ...others] = labels.map(parseLabel).filter((label) => label.kind !== 'empty');
  return first === undefined ? '' : toCanonicalLabel({ kind: 'and', operands: [first, ...others] });
};
