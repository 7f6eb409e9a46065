import { LRUCache } from 'lru-cache';
import { evaluateLabel } from '../expression/evaluate-label.ts';
import type { LabelExpression } from '../expression/label-expression.ts';
import { parseLabel } from '../expression/parse-label.ts';
import { attributeSetKey } from './attribute-set-key.ts';
import { noVisibleLabels, extendVisibleLabels, type VisibleLabels } from './visible-labels.ts';

/** A label of a dataset with its id. Ids are dense: the first label is 0, the next 1. */
export interface InternedLabel {
  readonly id: number;
  readonly expression: string;
}

/** A cache of the labels of each dataset that a reader satisfies. */
export interface VisibleLabelSets {
  /**
   * Returns the labels that a reader with these attributes satisfies. The cache parses each label once for a dataset
   * and evaluates it once for a set of attributes. A label that cannot be parsed is visible to nobody.
   * @param labels all labels of the dataset, in the order of their ids; between calls, the caller only appends
   * @param attributes normalised by `normaliseAttribute`
   * @throws Error if the ids are not dense
   */
  visible(
    datasetId: string,
    labels: readonly InternedLabel[],
    attributes: ReadonlySet<string>,
  ): VisibleLabels;
  /** Drops the labels of a deleted dataset, to free their memory. */
  forget(datasetId: string): void;
}

/** The parsed labels of one dataset. An entry of `rules` is undefined if the label cannot be parsed. */
interface DatasetRules {
  /**
   * A part of the key of cached results. It changes when all labels are parsed again, which invalidates the results.
   */
  readonly generation: number;
  source: readonly InternedLabel[];
  readonly expressions: string[];
  readonly rules: (LabelExpression | undefined)[];
}

function tryParseLabel(expression: string): LabelExpression | undefined {
  try {
    return parseLabel(expression);
  } catch {
    return undefined;
  }
}

/** Whether the labels begin with the ones that were parsed before. */
function isContinuation(known: DatasetRules, labels: readonly InternedLabel[]): boolean {
  const last = known.expressions.length - 1;
  // Callers only append to a list, so for the same list it is enough to compare the last label.
  const from = known.source === labels ? Math.max(0, last) : 0;
  for (let id = from; id <= last; id += 1) {
    if (labels[id]?.expression !== known.expressions[id]) return false;
  }
  return true;
}

function parseNewLabels(known: DatasetRules, labels: readonly InternedLabel[]): void {
  for (const label of labels.slice(known.rules.length)) {
    if (label.id !== known.rules.length) {
      throw new Error(
        `Expected label ${known.rules.length}, got label ${label.id}. Label ids must be dense.`,
      );
    }
    known.expressions.push(label.expression);
    known.rules.push(tryParseLabel(label.expression));
  }
  known.source = labels;
}

/** Limits the size of an entry, because a cache accepts no entry that is larger than its own maximum. */
const sizeWithin = (max: number, size: number): number => Math.min(Math.max(size, 1), max);

/**
 * Creates the cache of visible labels. It evicts the least recently used entries.
 * @param options.maxBytes limit of the results (64 MB by default); a result takes at most five bytes for each label
 * @param options.maxLabels limit of the parsed labels (a million by default)
 */
export function createVisibleLabelSets({
  maxBytes = 64_000_000,
  maxLabels = 1_000_000,
}: { maxBytes?: number; maxLabels?: number } = {}): VisibleLabelSets {
  const datasets = new LRUCache<string, DatasetRules>({ maxSize: maxLabels });
  const results = new LRUCache<string, VisibleLabels>({ maxSize: maxBytes });
  let generations = 0;

  function getRules(datasetId: string, labels: readonly InternedLabel[]): DatasetRules {
    let known = datasets.get(datasetId);
    if (known === undefined || !isContinuation(known, labels)) {
      generations += 1;
      known = { generation: generations, source: labels, expressions: [], rules: [] };
    }
    parseNewLabels(known, labels);
    // Setting the same value again would keep its old size in the cache, but these rules may have grown.
    datasets.delete(datasetId);
    datasets.set(datasetId, known, { size: sizeWithin(maxLabels, known.rules.length) });
    return known;
  }

  return {
    visible(datasetId, labels, attributes) {
      const { generation, rules } = getRules(datasetId, labels);
      const key = `${generation} ${attributeSetKey(attributes)}`;
      const before = results.get(key) ?? noVisibleLabels;
      if (before.version === rules.length) return before;
      const result = extendVisibleLabels(before, rules.length, (id) => {
        const rule = rules[id];
        return rule !== undefined && evaluateLabel(rule, attributes);
      });
      const bytes = result.ids.byteLength + result.bits.byteLength + 2 * key.length;
      results.set(key, result, { size: sizeWithin(maxBytes, bytes) });
      return result;
    },
    forget(datasetId) {
      datasets.delete(datasetId);
    },
  };
}
