import { LRUCache } from 'lru-cache';
import { toCanonicalLabel } from '../expression/canonical-label.ts';
import { evaluateLabel } from '../expression/evaluate-label.ts';
import type { LabelExpression } from '../expression/label-expression.ts';
import { parseLabel } from '../expression/parse-label.ts';
import { attributeSetKey } from '../visible/attribute-set-key.ts';
import { removeNestedPaths, isHiddenPath, type SortedPaths } from './hidden-columns.ts';

/**
 * The labels of a dataset's columns, by path. A column, and everything inside it, is hidden from a reader who does not
 * satisfy all of its labels. Labels are canonical and not empty.
 */
export type ColumnLabels = ReadonlyMap<string, readonly string[]>;

/** Serializes column labels as JSON for storage. Equal labels give equal text. */
export const serializeColumnLabels = (labels: ColumnLabels): string =>
  JSON.stringify([...labels].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Parsed texts, because each read of a dataset needs its column labels. Sizes are in characters. */
const parsed = new LRUCache<string, ColumnLabels>({
  maxSize: 32_000_000,
  sizeCalculation: (_, text) => text.length,
});

/**
 * Parses the text of `serializeColumnLabels`. An equal text gives the same labels, as long as they are cached.
 * @throws Error for any other text, so that no request is served with column labels that are unknown
 */
export function parseColumnLabels(text: string): ColumnLabels {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const entries = JSON.parse(text) as unknown;
  if (!Array.isArray(entries) || !entries.every(isEntry))
    throw new Error('Stored column labels are invalid: expected a list of paths with their labels.');
  const labels = new Map(entries);
  parsed.set(text, labels);
  return labels;
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

/** The results of `findHiddenColumns` by attributes, because each read of a dataset needs one. */
const found = new WeakMap<ColumnLabels, Map<string, SortedPaths>>();
const maxFound = 16;

/**
 * Returns the paths of the columns that are hidden from a reader with these attributes, sorted, without paths inside
 * other returned paths. A label that cannot be parsed hides its column from everybody. The same labels and equal
 * attributes give the same list.
 */
export function findHiddenColumns(labels: ColumnLabels, attributes: ReadonlySet<string>): SortedPaths {
  if (labels.size === 0) return noColumns;
  let known = found.get(labels);
  if (known === undefined || known.size >= maxFound) found.set(labels, (known = new Map()));
  const key = attributeSetKey(attributes);
  let hidden = known.get(key);
  if (hidden === undefined) known.set(key, (hidden = hiddenFrom(labels, attributes)));
  return hidden;
}

function hiddenFrom(labels: ColumnLabels, attributes: ReadonlySet<string>): SortedPaths {
  const satisfied = new Map<string, boolean>();
  const isSatisfied = (label: string): boolean => {
    let result = satisfied.get(label);
    if (result === undefined) satisfied.set(label, (result = satisfies(label, attributes)));
    return result;
  };
  const hidden = [...labels].filter(([, all]) => !all.every(isSatisfied));
  return hidden.length === 0 ? noColumns : removeNestedPaths(hidden.map(([path]) => path));
}

const noColumns: SortedPaths = [];

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
