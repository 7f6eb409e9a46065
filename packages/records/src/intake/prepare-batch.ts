import { badRequest, securityError } from '@redoubt/errors';
import { createRecordLabeller, type RecordLabeller, type SecurityLabelInfo } from '@redoubt/labels';
import type { PathEntry } from '@redoubt/query';
import { duplicateKey } from './internal-keys.ts';
import { maxLabels, type IntakeLimits } from './intake-limits.ts';
import type { WriteBody } from './parse-write-body.ts';
import { createPathRegistry, pathsOf, type WrittenPath } from './path-registry.ts';
import { createRows, type PreparedRows, type RowsSummary } from './prepared-rows.ts';
import { readRecord, textReader } from './read-record.ts';
import { excerpt, recordError, recordTooLarge, rejectReason } from './record-error.ts';
import { randomBytesPerId, uuidV7 } from './record-ids.ts';
import { createRecordReader, type RereadReason } from './record-reader.ts';

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
  /** Leaves out records that are at fault and lists them, instead of refusing the whole write. */
  collectsRejects?: boolean | undefined;
}

/** A record that was left out because it is at fault. */
export interface RejectedRecord {
  /** Its place in the body. */
  index: number;
  reason: string;
}

/** The records of a write that replace others. Their rows are made once it is known what they keep: `prepareReplacements`. */
export interface Updates {
  recordIds: string[];
  /** For each: its place in the body. */
  indexes: number[];
  /** For each: the index of its label. */
  labels: number[];
}

/** What is to be known of a write besides the bytes of its rows. */
export interface BatchSummary extends Omit<PreparedBatch, 'inserts'> {
  inserts: RowsSummary;
}

/** A write that was read in full and has no fault. */
export interface PreparedBatch {
  /** The distinct labels of its records, canonical. */
  labels: string[];
  /** Every path with its kinds, those known before included; new ones in the order of their expected ids. */
  paths: WrittenPath[];
  inserts: PreparedRows;
  updates: Updates;
  /** Whether the write said how to label its records. */
  hasLabelInfo: boolean;
  /** Records that got the replacement label, and records that were left out. */
  replaced: number;
  dropped: number;
  rejects: RejectedRecord[];
  /** The id of the first new record, if there is one. */
  firstId: string | undefined;
}

/**
 * Reads every record of a body, labels it, and makes its row where it is a new one.
 * @throws RedoubtError 400 or 413 that names the index of the first record at fault
 */
export function prepareBatch(body: WriteBody, options: PrepareOptions): PreparedBatch {
  const { labelInfo, limits, now, random } = options;
  const labeller = createRecordLabeller(labelInfo);
  const readsFields = (labelInfo?.fields?.length ?? 0) > 0;
  const labels = new Map<string, number>();
  const inserts = createRows();
  const updates: Updates = { recordIds: [], indexes: [], labels: [] };
  const updated = new Set<string>();
  const textOf = textReader(body);
  let index = 0;
  const book = createPathRegistry(options.knownPaths, (path, used) => {
    refusePath(index, path, used, limits);
  });
  const reader = createRecordReader(book);
  let replaced = 0;
  let dropped = 0;
  let firstId: string | undefined;
  const rejects: RejectedRecord[] = [];

  const takeRecord = (): void => {
    const text = textOf(index, limits.maxRecordBytes);
    const { recordId, reread } = readRecord(reader, text, index);
    if (readsFields && reread !== undefined) requireDistinctKeys(reread, text, index);
    const outcome = labelOf(labeller, readsFields ? text : undefined, index);
    if (outcome === undefined) {
      dropped++;
      return;
    }
    let label = labels.get(outcome.label);
    if (label === undefined) {
      refuseLabel(index, labels.size);
      labels.set(outcome.label, (label = labels.size));
    }
    if (recordId !== undefined) {
      if (updated.has(recordId)) {
        throw recordError(index, `the record "${recordId}" is in this write twice; send one version of it.`);
      }
      updated.add(recordId);
      updates.recordIds.push(recordId);
      updates.indexes.push(index);
      updates.labels.push(label);
    } else {
      const id = uuidV7(now, random, index * randomBytesPerId);
      firstId ??= id;
      inserts.add(id, now, reader.parts, label);
    }
    if (outcome.replaced) replaced++;
  };

  for (; index < body.count; index++) {
    try {
      takeRecord();
    } catch (fault) {
      const reason = options.collectsRejects === true ? rejectReason(fault, index) : undefined;
      if (reason === undefined) throw fault;
      rejects.push({ index, reason });
    }
  }

  return {
    labels: [...labels.keys()],
    paths: pathsOf(book, options.knownPaths),
    inserts: inserts.take(),
    updates,
    hasLabelInfo: labelInfo !== undefined && labelInfo !== null,
    replaced,
    dropped,
    rejects,
    firstId,
  };
}

export const toBatchSummary = ({ inserts, ...rest }: PreparedBatch): BatchSummary => ({
  ...rest,
  inserts: { shapes: inserts.shapes, shapeOf: [] },
});

/** A label that is read from a record with a key twice would be the one of the two that its writer did not mean. */
function requireDistinctKeys(reread: RereadReason, text: string, index: number): void {
  if (reread === 'internal-keys' && duplicateKey(text) === undefined) return;
  const message = 'it has a key twice; a record whose label comes from a field has each key once.';
  const field = `records.${String(index)}`;
  throw securityError(`${field}: ${message}`, [{ field, message }]);
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
    case 'error':
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
