import { joinKey, type KeyedRecord } from '@redoubt/records';
import { rejectOf, type FoundReject } from './block-rows.ts';
import type { ParsedRow } from './load-request.ts';
import { createRowLabeller, type LabelRule } from './row-labeller.ts';

/** A row with the values of its key fields. */
export interface KeyedRow extends ParsedRow {
  key: readonly string[];
  /** The key as one text. */
  name: string;
}

/** Consecutive rows of a file. */
export interface KeyedRows {
  /** Rows with different keys. */
  rows: readonly KeyedRow[];
  /** Rows before them with the same keys. They count as written and are not stored, because the later ones replace them. */
  superseded: readonly KeyedRow[];
  rejects: FoundReject[];
  firstRow: number;
  nextRow: number;
}

/** Maximum number of characters of a key value. */
const maxKeyLength = 1000;
const recordIdName = '_koverse_record_id';

type ParseWithSource = (
  text: string,
  revive: (this: object, key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;
/** `JSON.parse` with the source text of values, which the types of TypeScript lack. */
const parseWithSource = JSON.parse as ParseWithSource;

const parseRow = (json: Buffer): Record<string, unknown> => {
  const record: unknown = JSON.parse(json.toString('utf8'));
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw new Error('A parser process wrote a row that is no JSON object.');
  return record as Record<string, unknown>;
};

/** The text of a top-level number as written in the record. */
const numberText = (json: Buffer, field: string): string => {
  const texts = new Map<object, string>();
  const record = parseWithSource(json.toString('utf8'), function note(key, value, { source }) {
    if (key === field && source !== undefined) texts.set(this, source);
    return value;
  });
  return texts.get(record as object) ?? '';
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The value of a key field as text, or the reason why it cannot be a key. */
const keyText = (json: Buffer, field: string, value: unknown): { text: string } | { problem: string } => {
  if (value === undefined || value === null)
    return { problem: `it has no value in the key column ${JSON.stringify(field)}.` };
  if (typeof value === 'object')
    return {
      problem: `its value in the key column ${JSON.stringify(field)} must be a text, a number or a boolean.`,
    };
  const text = typeof value === 'number' ? numberText(json, field) : textOf(value);
  return text.length > maxKeyLength
    ? {
        problem: `its value in the key column ${JSON.stringify(field)} has ${String(text.length)} characters; a key may have up to ${String(maxKeyLength)}.`,
      }
    : { text };
};

const readKey = (row: ParsedRow, fields: readonly string[]): KeyedRow | FoundReject => {
  const record = parseRow(row.json);
  if (Object.hasOwn(record, recordIdName)) throw new Error('A parser process wrote a row with a record id.');
  const key: string[] = [];
  for (const field of fields) {
    const found = keyText(row.json, field, Object.hasOwn(record, field) ? record[field] : undefined);
    if ('problem' in found) return rejectOf(row, found.problem);
    key.push(found.text);
  }
  return { ...row, key, name: joinKey(key) };
};

/** Whether a row can be left out for a later one with its key. */
export type Supersedes = (earlier: KeyedRow, later: KeyedRow) => boolean;

/** No row can be left out. */
export const supersedesNone: Supersedes = () => false;

/**
 * Creates the rule for rows that get labels. Only a row with the same label is left out: with another one, it would
 * depend on the label of the first row whether the second may change it.
 */
export const supersedesWithSameLabel = (rule: LabelRule): Supersedes => {
  if (rule.securityLabelInfo === null) return () => true;
  const labeller = createRowLabeller(rule);
  const labels = new WeakMap<KeyedRow, string>();
  const labelOf = (row: KeyedRow): string | undefined => {
    let label = labels.get(row);
    if (label === undefined) {
      const outcome = labeller.label(parseRow(row.json));
      if (outcome.kind !== 'label') return undefined;
      ({ label } = outcome);
      labels.set(row, label);
    }
    return label;
  };
  return (earlier, later) => {
    const label = labelOf(earlier);
    return label !== undefined && label === labelOf(later);
  };
};

/**
 * Splits the rows of a block into parts in which every key occurs once. Rows take effect one after another, so the last
 * of several rows with the same key must replace those before it: they are left out, or a new part begins.
 */
export function* cutAtRepeatedKeys(
  rows: readonly ParsedRow[],
  rejects: readonly FoundReject[],
  fields: readonly string[],
  { firstRow, nextRow }: Pick<KeyedRows, 'firstRow' | 'nextRow'>,
  supersedes: Supersedes,
): Generator<KeyedRows> {
  const wrong = [...rejects];
  let keyed = new Map<string, KeyedRow>();
  let superseded: KeyedRow[] = [];
  let first = firstRow;
  const cut = (next: number): KeyedRows => ({
    rows: [...keyed.values()],
    superseded,
    rejects: wrong.filter(({ row }) => row >= first && row < next),
    firstRow: first,
    nextRow: next,
  });
  for (const row of rows) {
    const read = readKey(row, fields);
    if (!('key' in read)) {
      wrong.push(read);
      continue;
    }
    const earlier = keyed.get(read.name);
    if (earlier !== undefined && supersedes(earlier, read)) {
      superseded.push(earlier);
      // Rows stay in the order of the file.
      keyed.delete(read.name);
    } else if (earlier !== undefined) {
      yield cut(read.row);
      first = read.row;
      keyed = new Map();
      superseded = [];
    }
    keyed.set(read.name, read);
  }
  yield cut(nextRow);
}

/** A row, and the record that it replaces, if any. */
export interface MatchedRow {
  row: KeyedRow;
  found: KeyedRecord | undefined;
  json: Buffer;
}

/** Finds the record of each row. A row is rejected if several records have its key. */
export const matchRows = (
  rows: readonly KeyedRow[],
  found: ReadonlyMap<string, readonly KeyedRecord[]>,
): { matched: MatchedRow[]; rejects: FoundReject[] } => {
  const matched: MatchedRow[] = [];
  const rejects: FoundReject[] = [];
  for (const row of rows) {
    const [record, other] = found.get(row.name) ?? [];
    if (other !== undefined) {
      rejects.push(
        rejectOf(
          row,
          `several records that you see have its key ${row.name}; an upsert replaces one. Delete the others, or choose other key columns.`,
        ),
      );
      continue;
    }
    matched.push({
      row,
      found: record,
      json: record === undefined ? row.json : withId(row.json, record.recordId),
    });
  }
  return { matched, rejects };
};

/** Adds the id of the record that a row replaces. */
const withId = (json: Buffer, recordId: string): Buffer => {
  const rest = json.subarray(json.indexOf('{') + 1);
  const isEmpty = /^\s*\}/.test(rest.toString('latin1', 0, 64));
  return Buffer.concat([Buffer.from(`{"${recordIdName}":"${recordId}"${isEmpty ? '' : ','}`), rest]);
};
