import { LRUCache } from 'lru-cache';
import { parseCapcoMarking } from '../capco/parse-capco-marking.ts';
import { createFieldReader } from './field-reader.ts';
import { parseSecurityLabelInfo, type FieldPlan } from './parse-security-label-info.ts';
import { parseAttributeText, parseLabelText, type ParsedLabel } from './parse-label-text.ts';
import type { SecurityLabelInfo } from './security-label-info.ts';

/**
 * What to do with a record:
 * - `label`: store it with this canonical label. `outcome` tells whether it is the record's own or the replacement.
 * - `drop`: leave it out of the write.
 * - `error`: reject the whole write. `predicate` follows the path of `field`, which the caller adds.
 */
export type LabelResult =
  | { readonly kind: 'label'; readonly label: string; readonly outcome: 'as-is' | 'replaced' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'error'; readonly field: string; readonly predicate: string };

/** Labels the records of one write, one at a time. It caches the labels that it has parsed and nothing else. */
export interface RecordLabeller {
  label(record: Readonly<Record<string, unknown>>): LabelResult;
}

type LabelError = Extract<LabelResult, { kind: 'error' }>;
type FoundLabel = { readonly kind: 'label'; readonly label: string } | { readonly kind: 'none' } | LabelError;

const labelError = (field: string, predicate: string): LabelError => ({ kind: 'error', field, predicate });

/** The size of a labeller's cache, in characters of label text. */
const maxCachedCharacters = 2_000_000;
const entryOverhead = 50;

/** Caches a parser's results, because a million records typically share a few labels. */
function cached(parse: (text: string) => ParsedLabel): (text: string) => ParsedLabel {
  const cache = new LRUCache<string, ParsedLabel>({ maxSize: maxCachedCharacters });
  return (text) => {
    const hit = cache.get(text);
    if (hit !== undefined) return hit;
    const parsed = parse(text);
    cache.set(text, parsed, { size: Math.min(text.length + entryOverhead, maxCachedCharacters) });
    return parsed;
  };
}

const formatParsers = {
  expression: parseLabelText,
  attribute: parseAttributeText,
  marking: parseCapcoMarking,
} as const;

/** Describes a value that is not a string, for a message. Contents of lists and objects are left out. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${value}` : 'an object';
}

function createLabelFinder(plan: FieldPlan): (record: Readonly<Record<string, unknown>>) => FoundLabel {
  const readers = plan.fields.map((field) => ({ field, readField: createFieldReader(field) }));
  const parseValue = cached(formatParsers[plan.content]);
  const parseCombined = cached(parseLabelText);

  /** Joins labels with `&`. The result is parsed again, because it too must be within the limits of a label. */
  function combine(labels: readonly string[]): FoundLabel {
    const parsed = parseCombined(labels.map((label) => `(${label})`).join('&'));
    return parsed.kind === 'label'
      ? parsed
      : labelError(plan.fields.join(','), `together ${parsed.predicate}`);
  }

  return (record) => {
    const labels: string[] = [];
    for (const { field, readField } of readers) {
      const found = readField(record);
      if (found.kind === 'blocked')
        return labelError(
          field,
          `must lead through objects, got a list at "${found.at}". Name a field outside the list.`,
        );
      for (const value of found.values) {
        if (value === null || value === undefined || value === '') continue;
        if (typeof value !== 'string')
          return labelError(
            field,
            `must be a label as a string, got ${describeValue(value)}. Send a string.`,
          );
        const parsed = parseValue(value);
        if (parsed.kind === 'error') return labelError(field, parsed.predicate);
        labels.push(parsed.label);
      }
    }
    const [first] = labels;
    if (first === undefined) return { kind: 'none' };
    return labels.length === 1 ? { kind: 'label', label: first } : combine(labels);
  };
}

function createFieldLabeller(plan: FieldPlan): RecordLabeller {
  const { handling } = plan;
  const find = createLabelFinder(plan);
  return {
    label(record) {
      const found = find(record);
      if (found.kind === 'label') return { kind: 'label', label: found.label, outcome: 'as-is' };
      if (handling.policy === 'drop') return { kind: 'drop' };
      if (handling.policy === 'replace') return { kind: 'label', label: handling.label, outcome: 'replaced' };
      // The policy is `ignore`. A record that has no label at all gets the empty label. This is the only place where a
      // write with label information stores the empty label. A label that cannot be parsed is still an error.
      return found.kind === 'none' ? { kind: 'label', label: '', outcome: 'as-is' } : found;
    },
  };
}

/** Joins every label with another one. */
function withMinimumLabel(labeller: RecordLabeller, minimum: string): RecordLabeller {
  const joined = cached((label) => parseLabelText(label === '' ? minimum : `(${label})&(${minimum})`));
  return {
    label(record) {
      const result = labeller.label(record);
      if (result.kind !== 'label') return result;
      const parsed = joined(result.label);
      return parsed.kind === 'label'
        ? { ...result, label: parsed.label }
        : labelError('securityLabelInfo', `together with the minimum label ${parsed.predicate}`);
    },
  };
}

/**
 * Creates the labeller of one write. Without label information (undefined or null) records get the empty label.
 *
 *     const labeller = createRecordLabeller({ parserClassName: 'identity-parser', fields: ['access'], replacementString: 'HR' });
 *     labeller.label({ name: 'x', access: 'a&b' }); // { kind: 'label', label: 'A&B', outcome: 'as-is' }
 *     labeller.label({ name: 'y' }); // { kind: 'label', label: 'HR', outcome: 'replaced' }
 *
 * @param minimumLabel a label in canonical form that every record needs besides its own; a record whose labels are together
 *   beyond the limits of a label is an error
 * @throws SecurityError 400 for invalid label information, including any unknown part
 */
export function createRecordLabeller(
  info: SecurityLabelInfo | null | undefined,
  minimumLabel?: string | null,
): RecordLabeller {
  const plan =
    info === undefined || info === null
      ? ({ kind: 'all', label: '' } as const)
      : parseSecurityLabelInfo(info);
  const minimum = minimumLabel ?? null;
  if (plan.kind === 'fields') {
    const labeller = createFieldLabeller(plan);
    return minimum === null ? labeller : withMinimumLabel(labeller, minimum);
  }
  const { label } = plan;
  const labeller: RecordLabeller = { label: () => ({ kind: 'label', label, outcome: 'as-is' }) };
  return minimum === null ? labeller : withMinimumLabel(labeller, minimum);
}
