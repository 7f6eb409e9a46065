import type { PathEntry } from '@redoubt/query';
import { preserveHiddenColumns } from '../columns/preserve-hidden-columns.ts';
import { createColumnStripper } from '../columns/strip-columns.ts';
import type { WriteBody } from './parse-write-body.ts';
import { createPathRegistry, pathsOf, type WrittenPath } from './path-registry.ts';
import { createRows, type PreparedRows, type RowsSummary } from './prepared-rows.ts';
import { readRecord, readWithoutDuplicates, textReader } from './read-record.ts';
import { createRecordReader } from './record-reader.ts';

/** A record of the body that replaces another. */
export interface Replacement {
  recordId: string;
  /** Its place in the body. */
  index: number;
  /** The index of its label. */
  label: number;
  /** What its writer does not see of the record that it replaces, as `createHiddenPartReader` reads it. */
  hiddenPart: string | undefined;
}

export interface ReplacementOptions {
  /** Some of the records of a body that `prepareBatch` found no fault in. */
  replacements: readonly Replacement[];
  /** The paths that the writer does not see, none of them inside another. */
  hidden: readonly string[];
  /** All paths of the dataset; their ids are dense from 0. */
  knownPaths: ReadonlyMap<string, PathEntry>;
  /** The moment of the write, in milliseconds since 1970 UTC. */
  now: number;
}

export interface PreparedReplacements {
  paths: WrittenPath[];
  rows: PreparedRows;
}

/** What is to be known of replacements besides the bytes of their rows, which are in the order of the replacements. */
export interface ReplacementsSummary {
  paths: WrittenPath[];
  rows: RowsSummary;
}

/**
 * Makes the rows of records that replace others: with the columns that their writer does not see as they were, and without
 * what was sent for those. No limit counts what is kept, since the writer would learn of it.
 */
export function prepareReplacements(
  body: WriteBody,
  { replacements, hidden, knownPaths, now }: ReplacementOptions,
): PreparedReplacements {
  const book = createPathRegistry(knownPaths);
  const reader = createRecordReader(book);
  const rows = createRows();
  const textOf = textReader(body);
  const stripper = createColumnStripper(hidden);
  for (const { recordId, index, label, hiddenPart } of replacements) {
    readRecord(reader, textOf(index), index);
    const { raw } = reader.parts;
    const visible = stripper.record(raw);
    const text = hiddenPart === undefined ? visible : preserveHiddenColumns(visible, hiddenPart, hidden);
    if (text !== raw && reader.read(text) !== undefined) readWithoutDuplicates(reader, text);
    rows.add(recordId, now, reader.parts, label);
  }
  return { paths: pathsOf(book, knownPaths), rows: rows.take() };
}
