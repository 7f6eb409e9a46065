import { LRUCache } from 'lru-cache';
import { evaluateLabel } from '../expression/evaluate-label.ts';
import type { LabelExpression } from '../expression/label-expression.ts';
import { parseLabel } from '../expression/parse-label.ts';
import { attributeSetKey } from './attribute-set-key.ts';
import { noVisibleLabels, extendVisibleLabels, type VisibleLabels } from './visible-labels.ts';

/** A label of a dataset under its number. Numbers are dense: the first label is 0, the next 1. */
export interface InternedLabel {
  readonly id: number;
  readonly expression: string;
}

/** Answers which labels of a dataset a reader satisfies. */
export interface VisibleLabelSets {
  /**
   * The labels that a reader with these attributes (normalised) satisfies. `labels` are all labels of the dataset
   * in the order of their ids; it is only ever appended to, in place or in a new list. Each label is read once a
   * dataset and evaluated once a set of attributes. What is answered belongs to exactly the labels and attributes
   * given. A label that cannot be read is visible to nobody. Throws an Error where ids are not dense.
   */
  visible(
    datasetId: string,
    labels: readonly InternedLabel[],
    attributes: ReadonlySet<string>,
  ): VisibleLabels;
  /** Forgets a dataset, so that a deleted one holds no memory. */
  forget(datasetId: string): void;
}

/** The labels of one dataset, read; `rules` has nothing where a label cannot be read. */
interface DatasetRules {
  /** Different for each reading of a dataset from its start: what was kept for another does not count any more. */
  readonly generation: number;
  source: readonly InternedLabel[];
  readonly expressions: string[];
  readonly rules: (LabelExpression | undefined)[];
}

function readRule(expression: string): LabelExpression | undefined {
  try {
    return parseLabel(expression);
  } catch {
    return undefined;
  }
}

/** Whether the labels are those that were read, with or without more of them at the end. */
function continues(known: DatasetRules, labels: readonly InternedLabel[]): boolean {
  const last = known.expressions.length - 1;
  // The same list is looked at only at its end, since it is appended to; another one from its start.
  const from = known.source === labels ? Math.max(0, last) : 0;
  for (let id = from; id <= last; id += 1) {
    if (labels[id]?.expression !== known.expressions[id]) return false;
  }
  return true;
}

function readNewLabels(known: DatasetRules, labels: readonly InternedLabel[]): void {
  for (const label of labels.slice(known.rules.length)) {
    if (label.id !== known.rules.length) {
      throw new Error(`Label ${label.id} stands where label ${known.rules.length} is expected.`);
    }
    known.expressions.push(label.expression);
    known.rules.push(readRule(label.expression));
  }
  known.source = labels;
}

/** A size that the cache accepts: the newest entry is kept, however large it is. */
const sizeWithin = (max: number, size: number): number => Math.min(Math.max(size, 1), max);

/**
 * Makes the cache of visible labels. It holds up to `maxBytes` of answers (64 MB by default; an answer is at most
 * five bytes a label) and up to `maxLabels` labels that were read (a million by default), and forgets what was
 * used least recently.
 */
export function createVisibleLabelSets({
  maxBytes = 64_000_000,
  maxLabels = 1_000_000,
}: { maxBytes?: number; maxLabels?: number } = {}): VisibleLabelSets {
  const datasets = new LRUCache<string, DatasetRules>({ maxSize: maxLabels });
  const answers = new LRUCache<string, VisibleLabels>({ maxSize: maxBytes });
  let generations = 0;

  function rulesOf(datasetId: string, labels: readonly InternedLabel[]): DatasetRules {
    let known = datasets.get(datasetId);
    if (known === undefined || !continues(known, labels)) {
      generations += 1;
      known = { generation: generations, source: labels, expressions: [], rules: [] };
    }
    readNewLabels(known, labels);
    // The cache keeps the size of a value that is set again, but these rules may have grown.
    datasets.delete(datasetId);
    datasets.set(datasetId, known, { size: sizeWithin(maxLabels, known.rules.length) });
    return known;
  }

  return {
    visible(datasetId, labels, attributes) {
      const { generation, rules } = rulesOf(datasetId, labels);
      const key = `${generation} ${attributeSetKey(attributes)}`;
      const before = answers.get(key) ?? noVisibleLabels;
      if (before.version === rules.length) return before;
      const answer = extendVisibleLabels(before, rules.length, (id) => {
        const rule = rules[id];
        return rule !== undefined && evaluateLabel(rule, attributes);
      });
      const bytes = answer.ids.byteLength + answer.bits.byteLength + 2 * key.length;
      answers.set(key, answer, { size: sizeWithin(maxBytes, bytes) });
      return answer;
    },
    forget(datasetId) {
      datasets.delete(datasetId);
    },
  };
}
