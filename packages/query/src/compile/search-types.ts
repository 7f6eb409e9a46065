import type { VisibleLabels } from '@redoubt/labels';
import type { LuceneNode } from '../lucene/lucene-node.ts';

/** The two parts of a table's name, both quoted by the compiler. */
export interface TableName {
  database: string;
  datasetId: string;
}

/** What is known of a path of a dataset: its id, and the mask of the kinds seen there (`kindBit`). */
export interface PathEntry {
  pathId: number;
  kinds: number;
}

/** The paths of a dataset, all of them. It may know paths and kinds that only hidden records have. */
export type PathCatalog = ReadonlyMap<string, PathEntry>;

/**
 * What a row holds: `plain` is (record_id, raw); `internal` is (record_id, label_id, ingested_at in milliseconds since
 * 1970 UTC, raw).
 */
export type RowColumns = 'internal' | 'plain';

export interface SearchRequest {
  table: TableName;
  tree: LuceneNode;
  /** Whether only records of documents are looked for. */
  documents?: boolean;
  paths: PathCatalog;
  visible: VisibleLabels;
  /**
   * Whether the dataset has the index of words by path: it is asked for words of a field, and of any field for readers who do not
   * see all columns.
   */
  byPath?: boolean;
  /** -1 is all rows. */
  limit: number;
  offset: number;
  columns: RowColumns;
}

/** Statements without SETTINGS and FORMAT: the caller adds both, `settings` among the first. */
export interface CompiledSearch {
  rows: string;
  count: string;
  settings: Readonly<Record<string, number>>;
}

export interface SequenceRequest {
  table: TableName;
  visible: VisibleLabels;
  /** Rows after this record id. */
  after?: string;
  /** Rows from this record id on, itself included. */
  from?: string;
  /** Rows up to this record id, itself included. */
  until?: string;
  /** -1 is all rows. */
  limit: number;
  columns: RowColumns;
}
