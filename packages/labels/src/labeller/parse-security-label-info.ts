import { securityError, type RedoubtError } from '@redoubt/errors';
import { parseCapcoMarking } from '../capco/parse-capco-marking.ts';
import { labelParsers, type LabelFieldFormat } from './label-parsers.ts';
import { parseLabelText } from './parse-label-text.ts';
import type { SecurityLabelInfo } from './security-label-info.ts';

/** What to do with a record that has no readable label; `label` is canonical and never empty. */
export type MissingLabelAction =
  | { readonly policy: 'ignore' | 'drop' }
  | { readonly policy: 'replace'; readonly label: string };

/** How fields become labels. */
export interface FieldPlan {
  readonly kind: 'fields';
  readonly content: LabelFieldFormat;
  /** At least one name, none twice. */
  readonly fields: readonly string[];
  readonly handling: MissingLabelAction;
}

/** A SecurityLabelInfo that was understood in full; `label` is canonical and never empty. */
export type LabelPlan = { readonly kind: 'all'; readonly label: string } | FieldPlan;

type Key = keyof SecurityLabelInfo;
type Given = Readonly<Partial<Record<Key, unknown>>>;

const keys = ['fields', 'label', 'labelHandlingPolicy', 'parserClassName', 'replacementString'];
const maxFields = 100;

const parserIds = labelParsers
  .map(({ id }) => `"${id}"`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

function wrong(key: Key | undefined, message: string): RedoubtError {
  const field = key === undefined ? 'securityLabelInfo' : `securityLabelInfo.${key}`;
  return securityError(`${field}: ${message}`, [{ field, message }]);
}

/** The value as it was sent, cut short where it is long. */
function sent(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

function readGiven(info: unknown): Given {
  if (typeof info !== 'object' || info === null || Array.isArray(info)) {
    throw wrong(
      undefined,
      `${sent(info)} was sent; send an object, or leave it out to write without labels.`,
    );
  }
  const unknownKey = Object.keys(info).find((key) => !keys.includes(key));
  if (unknownKey !== undefined) {
    throw wrong(undefined, `${sent(unknownKey)} is no key of it; the keys are ${keys.join(', ')}.`);
  }
  return info;
}

/** A text of the info, or nothing where it is absent or null. */
function readText(given: Given, key: Key): string | undefined {
  const value = given[key];
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string') throw wrong(key, `${sent(value)} was sent; send a text.`);
  return value;
}

/** A label of the info in canonical form; the empty text where it is absent, null or empty. */
function readLabel(given: Given, key: 'label' | 'replacementString'): string {
  const reading = parseLabelText(readText(given, key) ?? '');
  if (reading.kind === 'fault') throw wrong(key, reading.message);
  return reading.label;
}

function readParser(given: Given): LabelFieldFormat | 'all' {
  const name = readText(given, 'parserClassName');
  if (name === undefined) {
    throw wrong('parserClassName', `it is absent; send ${parserIds}, or leave securityLabelInfo out.`);
  }
  const parser = labelParsers.find((candidate) => candidate.id === name || candidate.name === name);
  if (parser === undefined) {
    throw wrong('parserClassName', `there is no parser ${sent(name)}; send ${parserIds}.`);
  }
  return parser.reads;
}

function readFields(given: Given): string[] {
  const value = given.fields;
  if (value === null || value === undefined || value === '') return [];
  const fields: unknown = typeof value === 'string' ? value.split(',').map((field) => field.trim()) : value;
  if (!Array.isArray(fields) || !fields.every((field) => typeof field === 'string' && field !== '')) {
    throw wrong(
      'fields',
      `${sent(value)} was sent; send a list of field names, or a text with commas between them.`,
    );
  }
  if (fields.length > maxFields) {
    throw wrong('fields', `${fields.length} fields were sent; send at most ${maxFields}.`);
  }
  return [...new Set<string>(fields)];
}

/** The policy as it was sent; nothing where it is absent or null, which means replace. */
function readPolicy(given: Given): 'ignore' | 'drop' | 'replace' | undefined {
  const policy = readText(given, 'labelHandlingPolicy');
  switch (policy) {
    case undefined:
    case 'ignore':
    case 'drop':
    case 'replace':
      return policy;
    default:
      throw wrong(
        'labelHandlingPolicy',
        `there is no policy ${sent(policy)}; send "ignore", "replace" or "drop".`,
      );
  }
}

function planAll(given: Given): LabelPlan {
  const label = readLabel(given, 'label');
  if (label === '') {
    throw wrong(
      'label',
      'it is absent or empty; send the label of the records, or leave securityLabelInfo out.',
    );
  }
  if (readFields(given).length > 0) {
    throw wrong('fields', `${sent(given.fields)} was sent; this parser reads no fields, so leave them out.`);
  }
  return { kind: 'all', label };
}

function planHandling(
  policy: 'ignore' | 'drop' | 'replace' | undefined,
  replacement: string,
): MissingLabelAction {
  if (policy === 'ignore' || policy === 'drop') return { policy };
  if (replacement !== '') return { policy: 'replace', label: replacement };
  const why =
    policy === undefined ? 'labelHandlingPolicy is absent, which means "replace"' : 'the policy is "replace"';
  throw wrong(
    'replacementString',
    `it is absent or empty, and ${why}; send the label for records without a readable one, or the policy "ignore" or "drop".`,
  );
}

/** `SECRET` is a mark, and also the name of an attribute that nobody may hold: which of them was meant is asked. */
function refuseMark(given: Given): void {
  const text = readText(given, 'replacementString') ?? '';
  const reading = parseCapcoMarking(text);
  if (reading.kind === 'fault') return;
  throw wrong(
    'replacementString',
    `${sent(text)} is a CAPCO mark, and a replacement is a label expression; send ${sent(reading.label)} if that is meant.`,
  );
}

function planFields(given: Given, content: LabelFieldFormat, handling: MissingLabelAction): LabelPlan {
  const fields = readFields(given);
  if (fields.length === 0) {
    throw wrong('fields', 'it is absent or empty; send the names of the fields that hold the label.');
  }
  if (readLabel(given, 'label') !== '') {
    throw wrong(
      'label',
      `${sent(given.label)} was sent; this parser takes labels from fields, so leave it out.`,
    );
  }
  return { kind: 'fields', content, fields, handling };
}

/**
 * Checks every part of a SecurityLabelInfo, whatever is sent as one, and says what it asks for. Throws a
 * SecurityError for anything that is not understood, not needed but set, or needed but absent: what somebody
 * meant as protection is never passed over.
 */
export function parseSecurityLabelInfo(info: unknown): LabelPlan {
  const given = readGiven(info);
  const parser = readParser(given);
  const policy = readPolicy(given);
  const replacement = readLabel(given, 'replacementString');
  if (parser === 'mark') refuseMark(given);
  // Labelling all records leaves none without a label, so the policy is not asked for.
  if (parser === 'all') return planAll(given);
  return planFields(given, parser, planHandling(policy, replacement));
}
