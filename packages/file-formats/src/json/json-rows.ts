import type { RejectedRow, Row } from '../file-format.ts';
import type { FileLimits } from '../file-limits.ts';
import { excerpt } from '../rows/excerpt.ts';
import { recordRow } from '../rows/record-row.ts';
import { rejectRow } from '../rows/reject-row.ts';
import { toOneLine } from './compact-json.ts';
import type { ScannedValue } from './json-scanner.ts';
import type { RecordChange } from './change-record.ts';

/** A value with its text and position. */
export interface PlacedValue {
  readonly value: ScannedValue;
  readonly text: string;
  readonly line: number;
  readonly offset: number;
  /** The bytes that are not text in the encoding; undefined if all are. */
  readonly invalid: string | undefined;
}

/** Converts a valid JSON value to a row; a value that is not an object is rejected. */
export function jsonRow(
  { value, text, line, offset, invalid }: PlacedValue,
  { fileName, limits, change }: { fileName: string; limits: FileLimits; change: RecordChange },
): Row | RejectedRow {
  const problem = invalid ?? problemOf(value, text, limits);
  if (problem !== undefined) {
    const fields = value.kind === 'object' ? change.labelFields(text) : undefined;
    return rejectRow(line, offset, problem, text, fields);
  }
  const record = { line, offset, json: toOneLine(text), hasRecordId: value.hasWantedKey, text };
  return recordRow(record, change, fileName);
}

function problemOf(
  { kind, duplicateKey, nesting }: ScannedValue,
  text: string,
  { maxRowLength, maxNesting }: FileLimits,
): string | undefined {
  if (kind !== 'object') return `a record must be an object, got ${article[kind]}.`;
  if (duplicateKey !== undefined) {
    return `an object has the key ${excerpt(duplicateKey)} twice, and only one value could be kept.`;
  }
  if (nesting > maxNesting) {
    return `its objects and lists are nested ${String(nesting)} deep; up to ${String(maxNesting)} are supported.`;
  }
  return text.length > maxRowLength ? tooLong(text.length, maxRowLength) : undefined;
}

const article: Readonly<Record<ScannedValue['kind'], string>> = {
  object: 'an object',
  list: 'a list',
  text: 'a text',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
};

export const tooLong = (length: number, max: number): string =>
  `it has ${String(length)} characters; a record may have up to ${String(max)}.`;
