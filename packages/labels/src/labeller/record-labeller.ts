import { LRUCache } from 'lru-cache';
import { parseCapcoMarking } from '../capco/parse-capco-marking.ts';
import { createFieldReader } from './field-reader.ts';
import { parseSecurityLabelInfo, type FieldPlan } from './parse-security-label-info.ts';
import { parseAttributeText, parseLabelText, type ParsedLabel } from './parse-label-text.ts';
import type { SecurityLabelInfo } from './security-label-info.ts';

/**
 * What becomes of a record: it is stored with a canonical label (`outcome` says whether the label is its own or the
 * replacement), it is left out, or it is at fault and the whole write is to be refused. The message quotes the
 * value and says what to do; the caller adds which record it is.
 */
export type LabelResult =
  | { readonly kind: 'label'; readonly label: string; readonly outcome: 'as-is' | 'replaced' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'fault'; readonly field: string; readonly message: string };

/** Gives records their labels, one after the other; it keeps nothing of a record but the labels it has read. */
export interface RecordLabeller {
  label(record: Readonly<Record<string, unknown>>): LabelResult;
}

type Fault = Extract<LabelResult, { kind: 'fault' }>;
type Found = { readonly kind: 'label'; readonly label: string } | { readonly kind: 'none' } | Fault;

const fault = (field: string, message: string): Fault => ({ kind: 'fault', field, message });

/** What the texts that a labeller remembers may weigh together, in characters. */
const rememberedCharacters = 2_000_000;
const entryOverhead = 50;

/** The same reading, done once for each distinct text, as a million records share a few labels. */
function remembered(read: (text: string) => ParsedLabel): (text: string) => ParsedLabel {
  const known = new LRUCache<string, ParsedLabel>({ maxSize: rememberedCharacters });
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const reading = read(text);
    known.set(text, reading, { size: Math.min(text.length + entryOverhead, rememberedCharacters) });
    return reading;
  };
}

const contentReaders = {
  expression: parseLabelText,
  attribute: parseAttributeText,
  mark: parseCapcoMarking,
} as const;

/** A value that is no text, for a message: short, and without the contents of lists and objects. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${value}` : 'an object';
}

function createLabelFinder(plan: FieldPlan): (record: Readonly<Record<string, unknown>>) => Found {
  const readers = plan.fields.map((field) => ({ field, readField: createFieldReader(field) }));
  const readValue = remembered(contentReaders[plan.content]);
  const readAll = remembered(parseLabelText);

  /** The label that asks for all of these. It is read again, so that it keeps to the limits of every label. */
  function all(labels: readonly string[]): Found {
    const reading = readAll(labels.map((label) => `(${label})`).join('&'));
    return reading.kind === 'label'
      ? reading
      : fault(plan.fields.join(','), `Taken together: ${reading.message}`);
  }

  return (record) => {
    const labels: string[] = [];
    for (const { field, readField } of readers) {
      const found = readField(record);
      if (found.kind === 'blocked')
        return fault(field, `There is a list at "${found.at}"; a path leads through objects only.`);
      for (const value of found.values) {
        if (value === null || value === undefined || value === '') continue;
        if (typeof value !== 'string')
          return fault(field, `It holds ${describeValue(value)}; a label is a text.`);
        const reading = readValue(value);
        if (reading.kind === 'fault') return fault(field, reading.message);
        labels.push(reading.label);
      }
    }
    const [first] = labels;
    if (first === undefined) return { kind: 'none' };
    return labels.length === 1 ? { kind: 'label', label: first } : all(labels);
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
      // Here alone a write with label information stores without a label: there is none, and that was asked for.
      return found.kind === 'none' ? { kind: 'label', label: '', outcome: 'as-is' } : found;
    },
  };
}

/**
 * Makes the labeller of one write. Without info records get the empty label, as nobody asked for one; `null` is the
 * same as none. The info is checked in full first: throws a SecurityError for any part that is not understood.
 */
export function createRecordLabeller(info: SecurityLabelInfo | null | undefined): RecordLabeller {
  const plan =
    info === undefined || info === null
      ? ({ kind: 'all', label: '' } as const)
      : parseSecurityLabelInfo(info);
  if (plan.kind === 'fields') return createFieldLabeller(plan);
  const { label } = plan;
  return { label: () => ({ kind: 'label', label, outcome: 'as-is' }) };
}
