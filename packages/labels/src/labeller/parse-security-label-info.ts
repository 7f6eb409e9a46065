import { securityError, type RedoubtError } from '@redoubt/errors';
import { parseCapcoMarking } from '../capco/parse-capco-marking.ts';
import { labelParsers, type LabelFieldFormat } from './label-parsers.ts';
import { parseLabelText } from './parse-label-text.ts';
import type { SecurityLabelInfo } from './security-label-info.ts';

/** How to handle a record without a valid label; `label` is canonical and never empty. */
export type MissingLabelAction =
  | { readonly policy: 'ignore' | 'drop' }
  | { readonly policy: 'replace'; readonly label: string };

/** How to compute a record's label from its fields. */
export interface FieldPlan {
  readonly kind: 'fields';
  readonly content: LabelFieldFormat;
  /** At least one name; no duplicates. */
  readonly fields: readonly string[];
  readonly handling: MissingLabelAction;
}

/** A validated SecurityLabelInfo; `label` is canonical and never empty. */
export type LabelPlan = { readonly kind: 'all'; readonly label: string } | FieldPlan;

type Key = keyof SecurityLabelInfo;
type Given = Readonly<Partial<Record<Key, unknown>>>;

const keys = ['fields', 'label', 'labelHandlingPolicy', 'parserClassName', 'replacementString'];
const maxFields = 100;

const parserIds = labelParsers
  .map(({ id }) => `"${id}"`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

function fieldError(key: Key | undefined, predicate: string): RedoubtError {
  const field = key === undefined ? 'securityLabelInfo' : `securityLabelInfo.${key}`;
  const message = `${field} ${predicate}`;
  return securityError(message, [{ field, message }]);
}

/** The value as JSON, shortened if it is long. */
function quote(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

function requireInfoObject(info: unknown): Given {
  if (typeof info !== 'object' || info === null || Array.isArray(info)) {
    throw fieldError(
      undefined,
      `must be an object, got ${quote(info)}. Send an object, or leave it out to write without labels.`,
    );
  }
  const unknownKey = Object.keys(info).find((key) => !keys.includes(key));
  if (unknownKey !== undefined) {
    throw fieldError(
      undefined,
      `must have the keys ${keys.join(', ')} alone, got ${quote(unknownKey)}. Leave it out.`,
    );
  }
  return info;
}

/** A string of the info; undefined if it is absent or null. */
function readText(given: Given, key: Key): string | undefined {
  const value = given[key];
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string')
    throw fieldError(key, `must be a string, got ${quote(value)}. Send a string or leave it out.`);
  return value;
}

/** A label of the info in canonical form; the empty string if it is absent, null or empty. */
function readLabel(given: Given, key: 'label' | 'replacementString'): string {
  const parsed = parseLabelText(readText(given, key) ?? '');
  if (parsed.kind === 'error') throw fieldError(key, parsed.predicate);
  return parsed.label;
}

function readParser(given: Given): LabelFieldFormat | 'all' {
  const name = readText(given, 'parserClassName');
  if (name === undefined) {
    throw fieldError(
      'parserClassName',
      `must be ${parserIds}, got nothing. Send one, or leave securityLabelInfo out.`,
    );
  }
  const parser = labelParsers.find((candidate) => candidate.id === name || candidate.name === name);
  if (parser === undefined) {
    throw fieldError('parserClassName', `must be ${parserIds}, got ${quote(name)}. Send one of them.`);
  }
  return parser.reads;
}

function readFields(given: Given): string[] {
  const value = given.fields;
  if (value === null || value === undefined || value === '') return [];
  const fields: unknown = typeof value === 'string' ? value.split(',').map((field) => field.trim()) : value;
  if (!Array.isArray(fields) || !fields.every((field) => typeof field === 'string' && field !== '')) {
    throw fieldError(
      'fields',
      `must be a list of field names, or a string of names separated by commas, got ${quote(value)}. Send at least one name.`,
    );
  }
  if (fields.length > maxFields) {
    throw fieldError('fields', `must have at most ${maxFields} fields, got ${fields.length}. Send fewer.`);
  }
  return [...new Set<string>(fields)];
}

/** The policy; undefined if it is absent or null, which means `replace`. */
function readPolicy(given: Given): 'ignore' | 'drop' | 'replace' | undefined {
  const policy = readText(given, 'labelHandlingPolicy');
  switch (policy) {
    case undefined:
    case 'ignore':
    case 'drop':
    case 'replace':
      return policy;
    default:
      throw fieldError(
        'labelHandlingPolicy',
        `must be "ignore", "replace" or "drop", got ${quote(policy)}. Send one of them, or leave it out.`,
      );
  }
}

function planOneLabel(given: Given): LabelPlan {
  const label = readLabel(given, 'label');
  if (label === '') {
    throw fieldError(
      'label',
      'must be a label with this parser, got nothing. Send the label of the records, or leave securityLabelInfo out.',
    );
  }
  if (readFields(given).length > 0) {
    throw fieldError(
      'fields',
      `must not be sent with this parser, which reads no fields, got ${quote(given.fields)}. Leave it out.`,
    );
  }
  return { kind: 'all', label };
}

function planMissingLabel(
  policy: 'ignore' | 'drop' | 'replace' | undefined,
  replacement: string,
): MissingLabelAction {
  if (policy === 'ignore' || policy === 'drop') return { policy };
  if (replacement !== '') return { policy: 'replace', label: replacement };
  const reason =
    policy === undefined
      ? 'labelHandlingPolicy is absent, which means "replace"'
      : 'labelHandlingPolicy is "replace"';
  throw fieldError(
    'replacementString',
    `must be a label, got nothing: ${reason}. Send the label for records without a valid one, or the policy "ignore" or "drop".`,
  );
}

/**
 * Rejects a replacement that is also a CAPCO marking, because it is ambiguous: `SECRET` could mean the marking or an
 * attribute of that name.
 */
function rejectMarking(given: Given): void {
  const text = readText(given, 'replacementString') ?? '';
  const parsed = parseCapcoMarking(text);
  if (parsed.kind === 'error') return;
  throw fieldError(
    'replacementString',
    `must be a label expression, got the CAPCO marking ${quote(text)}. Send ${quote(parsed.label)} if you mean the marking.`,
  );
}

function planFields(given: Given, content: LabelFieldFormat, handling: MissingLabelAction): LabelPlan {
  const fields = readFields(given);
  if (fields.length === 0) {
    throw fieldError('fields', 'must name the fields that contain the label, got none. Send their names.');
  }
  if (readLabel(given, 'label') !== '') {
    throw fieldError(
      'label',
      `must not be sent with this parser, which reads labels from fields, got ${quote(given.label)}. Leave it out.`,
    );
  }
  return { kind: 'fields', content, fields, handling };
}

/**
 * Validates a SecurityLabelInfo and converts it to a plan for labelling records. No part of it is ignored: unknown
 * parts, missing parts, and parts that the label parser does not use are errors.
 * @param info what the client sent, unchecked
 * @throws SecurityError 400 that names the part and its value
 */
export function parseSecurityLabelInfo(info: unknown): LabelPlan {
  const given = requireInfoObject(info);
  const parser = readParser(given);
  const policy = readPolicy(given);
  const replacement = readLabel(given, 'replacementString');
  if (parser === 'marking') rejectMarking(given);
  // With one label for all, no record lacks a label, so the policy has no effect.
  if (parser === 'all') return planOneLabel(given);
  return planFields(given, parser, planMissingLabel(policy, replacement));
}
