import { isHiddenPath, type SortedPaths } from '@redoubt/labels';
import type { PathEntry } from '@redoubt/query';
import { preserveHiddenColumns } from '../columns/preserve-hidden-columns.ts';
import { createColumnStripper } from '../columns/strip-columns.ts';
import { createCarriedPaths } from './carried-paths.ts';
import type { WriteBody } from './parse-write-body.ts';
import { createPathRegistry, pathsOf, type WrittenPath } from './path-registry.ts';
import { createRows, type PreparedRows, type RowsSummary } from './prepared-rows.ts';
import { replacedSourceText, sourceText, type RecordSource } from './record-source.ts';
import { readRecord, readWithoutDuplicates, textReader } from './read-record.ts';
import { createRecordReader } from './record-reader.ts';

/** A record of the body that replaces another. */
export interface Replacement {
  recordId: string;
  /** Its index in the body. */
  index: number;
  /** The index of its label. */
  label: number;
  /** The part of the replaced record that is hidden from the writer, from `createHiddenPartReader`. */
  hiddenPart: string | undefined;
  /** The field codes of the replaced record. */
  codes: readonly number[];
  /**
   * The index of the label of its row if the engine may carry over what is stored for the hidden part. Undefined if the
   * row must be complete.
   */
  carriedLabel: number | undefined;
  /** The text of the source columns of the replaced record, which it keeps unless `source` is given. */
  source: string;
}

export interface ReplacementOptions {
  /** Some records of a body that `prepareBatch` accepted. */
  replacements: readonly Replacement[];
  /** The paths that are hidden from the writer, none of them inside another. */
  hidden: SortedPaths;
  /** All paths of the dataset; their ids count from 0 without gaps. */
  knownPaths: ReadonlyMap<string, PathEntry>;
  /** The time of the write, in milliseconds since 1970 UTC. */
  now: number;
  /** The rows of a file that the records of the body come from. */
  source?: RecordSource | undefined;
}

export interface PreparedReplacements {
  paths: WrittenPath[];
  rows: PreparedRows;
  /** The ids of the paths that the engine must carry over for rows with a `carriedLabel`. */
  carriedPaths: number[];
}

/** The facts about replacements, without the bytes of their rows, which are in the order of the replacements. */
export interface ReplacementsSummary {
  paths: WrittenPath[];
  rows: RowsSummary;
  carriedPaths: number[];
}

/**
 * Creates the rows of replacements. They keep the columns that are hidden from the writer and ignore what was sent for
 * them. Kept columns do not count towards limits, because an error would disclose them.
 */
export function prepareReplacements(
  body: WriteBody,
  { replacements, hidden, knownPaths, now, source: given }: ReplacementOptions,
): PreparedReplacements {
  const registry = createPathRegistry(knownPaths, undefined, (path) => isHiddenPath(hidden, path));
  const reader = createRecordReader(registry);
  const rows = createRows();
  const textOf = textReader(body);
  const stripper = createColumnStripper(hidden);
  const carried = createCarriedPaths(hidden, knownPaths);
  for (const { recordId, index, label, carriedLabel, codes, hiddenPart, source } of replacements) {
    readRecord(reader, textOf(index), index);
    const { raw } = reader.parts;
    const visible = stripper.record(raw);
    const text = hiddenPart === undefined ? visible : preserveHiddenColumns(visible, hiddenPart, hidden);
    let rowLabel = label;
    if (text !== raw) {
      const mayCarry = carriedLabel !== undefined && hiddenPart !== undefined;
      if (mayCarry && reader.read(text, true) === undefined && carried.matches(codes, reader.parts)) {
        rowLabel = carriedLabel;
      } else if (reader.read(text) !== undefined) readWithoutDuplicates(reader, text);
    }
    rows.add(
      recordId,
      now,
      reader.parts,
      rowLabel,
      given === undefined ? replacedSourceText(source) : sourceText(given, index),
    );
  }
  return { paths: pathsOf(registry, knownPaths), rows: rows.take(), carriedPaths: carried.ids() };
}
