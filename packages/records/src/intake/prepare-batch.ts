import { isAscii } from 'node:buffer';
import { badRequest, securityError } from '@redoubt/errors';
import { createRecordLabeller, type RecordLabeller, type SecurityLabelInfo } from '@redoubt/labels';
import { recordColumns, wordsEnd, type PathEntry } from '@redoubt/query';
import { keepColumns, type KeptColumns } from '../columns/keep-columns.ts';
import { dropShadowedKeys, duplicateKey, stripInternalKeys } from './internal-keys.ts';
import { maxLabels, type IntakeLimits } from './intake-limits.ts';
import { JsonFault } from './json-cursor.ts';
import type { WriteBody } from './parse-write-body.ts';
import { createPathBook } from './path-book.ts';
import { excerpt, recordFault, recordTooLarge } from './record-fault.ts';
import { isUuid, randomBytesPerId, uuidV7 } from './record-ids.ts';
import {
  createRecordReader,
  internalPrefix,
  type RecordParts,
  type RecordReader,
  type Reread,
} from './record-reader.ts';
import { createRowBuffer, withPrefixes, type RowBuffer } from './row-buffer.ts';

/** The columns of prepared rows, in order. The label id comes first because it is known last. */
export const insertColumns: readonly string[] = [
  recordColumns.labelId,
  recordColumns.recordId,
  recordColumns.ingestedAt,
  recordColumns.raw,
  recordColumns.doc,
  recordColumns.fields,
  recordColumns.words,
  recordColumns.looseCode,
  recordColumns.looseText,
  recordColumns.looseNumber,
  recordColumns.timePath,
  recordColumns.timeMicros,
];

export interface PrepareOptions {
  /** Undefined or null: the write says nothing of labels. */
  labelInfo: SecurityLabelInfo | null | undefined;
  /** All paths of the dataset; their ids are dense from 0. */
  knownPaths: ReadonlyMap<string, PathEntry>;
  /** The moment of the write, in milliseconds since 1970 UTC. */
  now: number;
  /** `randomBytesPerId` bytes for each record of the body. */
  random: Buffer;
  limits: IntakeLimits;
  /** Given where records are replaced whose writer does not see all columns: what was sent has no fault, then. */
  kept?: KeptColumns | undefined;
}

/** Records of the same label (an index into `labels`) with the same codes of `fields`, counted together. */
export interface Shape {
  label: number;
  codes: number[];
  count: number;
}

/** Rows that are ready but for their label ids. */
export interface PreparedRows {
  rows: RowBuffer;
  shapes: Shape[];
  /** For each row: the index of its shape. */
  shapeOf: number[];
  /** For each row that replaces a record: its id. Empty for new records. */
  recordIds: string[];
}

/** What is to be known of rows besides their bytes. */
export type RowsSummary = Omit<PreparedRows, 'rows'>;

/** What is to be known of a write besides the bytes of its rows. */
export interface BatchSummary extends Omit<PreparedBatch, 'inserts' | 'updates'> {
  inserts: RowsSummary;
  updates: RowsSummary;
}

/** A write that was read in full and has no fault. */
export interface PreparedBatch {
  /** The distinct labels of its records, canonical. */
  labels: string[];
  /** Every path with its kinds, those known before included; new ones in the order of their expected ids. */
  paths: { path: string; id: number; kinds: number; isNew: boolean; isWider: boolean }[];
  inserts: PreparedRows;
  updates: PreparedRows;
  /** Whether the write said how to label its records. */
  hasLabelInfo: boolean;
  /** Records that got the replacement label, and records that were left out. */
  replaced: number;
  dropped: number;
}

/**
 * Reads every record of a body, labels it, and makes its row.
 * @throws RedoubtError 400 or 413 that names the index of the first record at fault
 */
export function prepareBatch(body: WriteBody, options: PrepareOptions): PreparedBatch {
  const { labelInfo, limits, now, random } = options;
  const labeller = createRecordLabeller(labelInfo);
  const readsFields = (labelInfo?.fields?.length ?? 0) > 0;
  const labels = new Map<string, number>();
  const inserts = createRows();
  const updates = createRows();
  const updated = new Set<string>();
  const textOf = textReader(body);
  let index = 0;
  const book = createPathBook(options.knownPaths, (path, used) => {
    // What is kept may not be felt.
    if (options.kept === undefined) refusePath(index, path, used, limits);
  });
  const reader = createRecordReader(book);
  let replaced = 0;
  let dropped = 0;

  for (; index < body.count; index++) {
    const text = textOf(index, limits.maxRecordBytes);
    const { recordId, reread } = readRecord(reader, text, index);
    if (readsFields && reread !== undefined) requireDistinctKeys(reread, text, index);
    const outcome = labelOf(labeller, readsFields ? text : undefined, index);
    if (outcome === undefined) {
      dropped++;
      continue;
    }
    if (outcome.replaced) replaced++;
    let label = labels.get(outcome.label);
    if (label === undefined) {
      refuseLabel(index, labels.size);
      labels.set(outcome.label, (label = labels.size));
    }
    if (recordId !== undefined) {
      if (updated.has(recordId)) {
        throw recordFault(index, `the record "${recordId}" is in this write twice; send one version of it.`);
      }
      updated.add(recordId);
      if (options.kept !== undefined) readKept(reader, recordId, options.kept);
      updates.add(recordId, now, reader.parts, label);
    } else {
      inserts.add(uuidV7(now, random, index * randomBytesPerId), now, reader.parts, label);
    }
  }

  return {
    labels: [...labels.keys()],
    paths: Array.from(book.used(), ({ path, id, kinds, knownKinds }) => ({
      path,
      id,
      kinds,
      isNew: id >= options.knownPaths.size,
      isWider: (kinds | knownKinds) !== knownKinds,
    })),
    inserts: inserts.take(),
    updates: { ...updates.take(), recordIds: [...updated] },
    hasLabelInfo: labelInfo !== undefined && labelInfo !== null,
    replaced,
    dropped,
  };
}

export const summaryOf = ({ inserts, updates, ...rest }: PreparedBatch): BatchSummary => ({
  ...rest,
  inserts: { shapes: inserts.shapes, shapeOf: [], recordIds: [] },
  updates: { shapes: updates.shapes, shapeOf: updates.shapeOf, recordIds: updates.recordIds },
});

/** The rows with a text in front of each, one text for each of the batch's labels. */
export const rowsWith = (rows: PreparedRows, prefixes: readonly string[]): Buffer =>
  withPrefixes(rows.rows, (row) => labelOfRow(rows, row), prefixes);

function textReader({ bytes, slices }: WriteBody): (index: number, maxBytes: number) => string {
  const ascii = isAscii(bytes);
  return (index, maxBytes) => {
    const start = slices.starts[index] ?? 0;
    const end = slices.ends[index] ?? 0;
    if (end - start > maxBytes) {
      throw recordTooLarge(
        index,
        `it has ${String(end - start)} bytes; a record may have up to ${String(maxBytes)}.`,
      );
    }
    return ascii ? bytes.toString('latin1', start, end) : bytes.toString('utf8', start, end);
  };
}

/** Leaves the record in the reader's parts; its id when it replaces one, and why it was read again. */
function readRecord(
  reader: RecordReader,
  text: string,
  index: number,
): { recordId: string | undefined; reread: Reread | undefined } {
  try {
    const first = reader.read(text);
    if (first === undefined) return readOnce;
    const stripped = first === 'internal-keys' ? stripInternalKeys(validJson(text)) : undefined;
    const kept = stripped?.text ?? text;
    const again = stripped === undefined ? first : reader.read(kept);
    if (again !== undefined) readWithoutDuplicates(reader, kept);
    return { recordId: recordIdOf(stripped?.recordId, index), reread: first };
  } catch (fault) {
    if (fault instanceof JsonFault) throw recordFault(index, fault.message);
    throw fault;
  }
}

const readOnce = { recordId: undefined, reread: undefined };

/** A label that is read from a record with a key twice would be the one of the two that its writer did not mean. */
function requireDistinctKeys(reread: Reread, text: string, index: number): void {
  if (reread === 'internal-keys' && duplicateKey(text) === undefined) return;
  const message = 'it has a key twice; a record whose label comes from a field has each key once.';
  const field = `records.${String(index)}`;
  throw securityError(`${field}: ${message}`, [{ field, message }]);
}

/** What is kept and returned is the text as written; what is searched is the last of duplicate keys. */
function readWithoutDuplicates(reader: RecordReader, text: string): void {
  const { raw } = reader.parts;
  reader.read(dropShadowedKeys(text));
  reader.parts.raw = raw;
}

/** Reads what the record becomes with the columns that its writer does not see. */
function readKept(reader: RecordReader, recordId: string, { hidden, records }: KeptColumns): void {
  const text = keepColumns(reader.parts.raw, records.get(recordId), hidden);
  if (reader.read(text) !== undefined) readWithoutDuplicates(reader, text);
}

function validJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch (fault) {
    throw new JsonFault(`invalid JSON: ${fault instanceof Error ? fault.message : 'it cannot be read'}.`);
  }
}

function recordIdOf(value: unknown, index: number): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw recordFault(
    index,
    `${internalPrefix}record_id is ${excerpt(JSON.stringify(value))}; send the id of a record as it was read, or leave it out.`,
  );
}

/** For labellers that look at no field of a record. */
const noFields: Readonly<Record<string, unknown>> = {};

function labelOf(
  labeller: RecordLabeller,
  text: string | undefined,
  index: number,
): { label: string; replaced: boolean } | undefined {
  const outcome = labeller.label(
    text === undefined ? noFields : (JSON.parse(text) as Record<string, unknown>),
  );
  switch (outcome.kind) {
    case 'label':
      return { label: outcome.label, replaced: outcome.outcome === 'replaced' };
    case 'drop':
      return undefined;
    case 'fault':
      throw labelFault(index, outcome.field, outcome.message);
  }
}

const labelFault = (index: number, field: string, message: string): Error => {
  const path = `records.${String(index)}.${field}`;
  return securityError(`${path}: ${message}`, [{ field: path, message }]);
};

function refuseLabel(index: number, known: number): void {
  if (known < maxLabels) return;
  throw recordTooLarge(
    index,
    `with it this write has more than ${String(maxLabels)} different labels. Label by group rather than by record, or send several writes.`,
  );
}

function refusePath(index: number, path: string, used: number, limits: IntakeLimits): void {
  if (path.length > limits.maxPathLength) {
    throw recordTooLarge(
      index,
      `the keys down to ${excerpt(path)} have ${String(path.length)} characters together; up to ${String(limits.maxPathLength)} are allowed.`,
    );
  }
  if (used > limits.maxPaths) throw tooManyPaths(limits.maxPaths);
}

/** 400: a dataset would have too many distinct paths. */
export const tooManyPaths = (maxPaths: number): Error =>
  badRequest(
    `With these records the dataset would have more than ${String(maxPaths)} different fields. Keep keys that vary, such as ids, as values instead.`,
  );

/** The index of a row's label. */
export function labelOfRow({ shapes, shapeOf }: RowsSummary, row: number): number {
  const shape = shapes[shapeOf[row] ?? -1];
  if (shape === undefined) throw new Error(`Row ${String(row)} has no label.`);
  return shape.label;
}

interface Rows {
  add: (recordId: string, now: number, parts: RecordParts, label: number) => void;
  take: () => PreparedRows;
}

function createRows(): Rows {
  const buffer = createRowBuffer();
  const shapeOf: number[] = [];
  const shapes: Shape[] = [];
  const known = new Map<string, number>();
  return {
    add(recordId, now, parts, label) {
      buffer.add(rowText(recordId, now, parts));
      const key = `${parts.fields}${String(label)}`;
      let at = known.get(key);
      if (at === undefined) {
        at = shapes.push({ label, codes: codeList(parts.fields), count: 0 }) - 1;
        known.set(key, at);
      }
      shapeOf.push(at);
      const shape = shapes[at];
      if (shape !== undefined) shape.count++;
    },
    take: () => ({ rows: buffer.take(), shapes, shapeOf, recordIds: [] }),
  };
}

const codeList = (fields: string): number[] =>
  fields === '' ? [] : fields.slice(0, -1).split(',').map(Number);

/** One row in the format TabSeparated. Its texts hold no tab and no newline, so backslashes alone need care. */
export function rowText(recordId: string, now: number, parts: RecordParts): string {
  const raw = escapeBackslashes(parts.raw);
  const doc = escapeBackslashes(parts.doc);
  return `${recordId}\t${String(now)}\t${raw}\t{${withoutComma(doc)}}\t[${withoutComma(parts.fields)}]\t${parts.words}${wordsEnd}\t[${withoutComma(parts.looseCode)}]\t[${withoutComma(parts.looseText)}]\t[${withoutComma(parts.looseNumber)}]\t[${withoutComma(parts.timePath)}]\t[${withoutComma(parts.timeMicros)}]\n`;
}

const escapeBackslashes = (text: string): string =>
  text.includes('\\') ? text.replaceAll('\\', '\\\\') : text;

const withoutComma = (list: string): string => (list === '' ? '' : list.slice(0, -1));
