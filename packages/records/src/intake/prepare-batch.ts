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
import { sourceText, type RecordSource } from './record-source.ts';
import { randomBytesPerId, uuidV7 } from './record-ids.ts';
import { createRecordReader, type RereadReason } from './record-reader.ts';

export interface PrepareOptions {
  /** Undefined or null if the write has no label info. */
  labelInfo: SecurityLabelInfo | null | undefined;
  /** A label that every record needs besides its own; null without one. */
  minimumLabel?: string | null | undefined;
  /** All paths of the dataset; their ids count from 0 without gaps. */
  knownPaths: ReadonlyMap<string, PathEntry>;
  /** The time of the write, in milliseconds since 1970 UTC. */
  now: number;
  /** `randomBytesPerId` bytes for each record of the body. */
  random: Buffer;
  limits: IntakeLimits;
  /** The rows of a file that the records come from; undefined if they come from none. */
  source?: RecordSource | undefined;
  /** Leaves out records with errors and lists them, instead of rejecting the whole write. */
  collectsRejects?: boolean | undefined;
}

/** A record that was left out because of an error. */
export interface RejectedRecord {
  /** Its index in the body. */
  index: number;
  reason: string;
}

/**
 * The records of a write that replace others. `prepareReplacements` creates their rows, after their hidden columns are
 * read.
 */
export interface Updates {
  recordIds: string[];
  /** The index of each in the body. */
  indexes: number[];
  /** The index of the label of each. */
  labels: number[];
}

/** The facts about a prepared write, without the bytes of its rows. */
export interface BatchSummary extends Omit<PreparedBatch, 'inserts'> {
  inserts: RowsSummary;
}

/** A completely parsed write. If errors are collected, records with errors are only in `rejects`. */
export interface PreparedBatch {
  /** The distinct canonical labels of its records. */
  labels: string[];
  /** Every path with all its known kinds; new paths in the order of their expected ids. */
  paths: WrittenPath[];
  inserts: PreparedRows;
  updates: Updates;
  /** Whether the write has label info. */
  hasLabelInfo: boolean;
  /** How many records got the replacement label; `dropped` were left out. */
  replaced: number;
  dropped: number;
  rejects: RejectedRecord[];
  /** The id of the first new record, if there is one. */
  firstId: string | undefined;
}

/**
 * Parses and labels every record of a body, and creates the rows of new records.
 * @throws RedoubtError 400 or 413 with the index of the first wrong record
 */
export function prepareBatch(body: WriteBody, options: PrepareOptions): PreparedBatch {
  const { labelInfo, minimumLabel = null, limits, now, random } = options;
  const labeller = createRecordLabeller(labelInfo, minimumLabel);
  const readsFields = (labelInfo?.fields?.length ?? 0) > 0;
  const labels = new Map<string, number>();
  const inserts = createRows();
  const updates: Updates = { recordIds: [], indexes: [], labels: [] };
  const updated = new Set<string>();
  const textOf = textReader(body);
  let index = 0;
  const registry = createPathRegistry(options.knownPaths, (path, used) => {
    requirePathLimits(index, path, used, limits);
  });
  const reader = createRecordReader(registry);
  let replaced = 0;
  let dropped = 0;
  let firstId: string | undefined;
  const rejects: RejectedRecord[] = [];

  const prepareRecord = (): void => {
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
      requireFewLabels(index, labels.size);
      labels.set(outcome.label, (label = labels.size));
    }
    if (recordId !== undefined) {
      if (updated.has(recordId)) {
        throw recordError(
          index,
          `must have a record id that is in this write once, got "${recordId}" twice. Send one version of the record.`,
        );
      }
      updated.add(recordId);
      updates.recordIds.push(recordId);
      updates.indexes.push(index);
      updates.labels.push(label);
    } else {
      const id = uuidV7(now, random, index * randomBytesPerId);
      firstId ??= id;
      inserts.add(id, now, reader.parts, label, sourceText(options.source, index));
    }
    if (outcome.replaced) replaced++;
  };

  for (; index < body.count; index++) {
    try {
      prepareRecord();
    } catch (error) {
      const reason = options.collectsRejects === true ? rejectReason(error, index) : undefined;
      if (reason === undefined) throw error;
      rejects.push({ index, reason });
    }
  }

  return {
    labels: [...labels.keys()],
    paths: pathsOf(registry, options.knownPaths),
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

/** If a record has a key twice, its label could come from the value that the writer did not mean. */
function requireDistinctKeys(reread: RereadReason, text: string, index: number): void {
  if (reread === 'internal-keys' && duplicateKey(text) === undefined) return;
  const field = `records.${String(index)}`;
  const message = `${field} must have each key once, because its label comes from a field, got a key twice. Send it once.`;
  throw securityError(message, [{ field, message }]);
}

/** The fields for labellers that use none. */
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
      throw labelError(index, outcome.field, outcome.predicate);
  }
}

const labelError = (index: number, field: string, predicate: string): Error => {
  const path = `records.${String(index)}.${field}`;
  const message = `${path} ${predicate}`;
  return securityError(message, [{ field: path, message }]);
};

function requireFewLabels(index: number, known: number): void {
  if (known < maxLabels) return;
  throw recordTooLarge(
    index,
    `must not be the first record beyond ${String(maxLabels)} different labels in one write. Label by group rather than by record, or send several writes.`,
  );
}

function requirePathLimits(index: number, path: string, used: number, limits: IntakeLimits): void {
  if (path.length > limits.maxPathLength) {
    throw recordTooLarge(
      index,
      `must have paths of at most ${String(limits.maxPathLength)} characters, got ${excerpt(path)} with ${String(path.length)}. Shorten the keys.`,
    );
  }
  if (used > limits.maxPaths) throw tooManyPaths(limits.maxPaths);
}

/** 400: the dataset would have too many distinct paths. */
export const tooManyPaths = (maxPaths: number): Error =>
  badRequest(
    `With these records the dataset would have more than ${String(maxPaths)} different fields. Keep keys that vary, such as ids, as values instead.`,
  );
