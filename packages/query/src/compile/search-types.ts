import type { VisibleLabels } from '@redoubt/labels';
import type { LuceneNode } from '../lucene/lucene-node.ts';

/** The two parts of a table name, not quoted. */
export interface TableName {
  database: string;
  datasetId: string;
}

/** A path of a dataset: its id, and a mask of the kinds of its values (see `kindBit`). */
export interface PathEntry {
  pathId: number;
  kinds: number;
}

/** All paths of a dataset, including paths and kinds that only hidden records have. */
export type PathCatalog = ReadonlyMap<string, PathEntry>;

/**
 * The columns of a result row. `plain`: record_id, raw. `internal`: record_id, label_id, ingested_at in milliseconds
 * since 1970 UTC, raw. `id`: the 16 bytes of the record id.
 */
export type RowColumns = 'id' | 'internal' | 'plain';

/** A parsed search in one dataset, what is visible to its reader, and the requested page of its rows. */
export interface SearchRequest {
  table: TableName;
  tree: LuceneNode;
  /** Whether to find only records that are pages of documents. */
  documents?: boolean;
  paths: PathCatalog;
  visible: VisibleLabels;
  /**
   * Whether the dataset has the word index by path. It serves searches on a field, and searches on any field by readers
   * from whom columns are hidden.
   */
  byPath?: boolean;
  /** -1 means all rows. */
  limit: number;
  offset: number;
  columns: RowColumns;
}

/** Statements without SETTINGS and FORMAT. The caller must add both, with the given `settings`. */
export interface CompiledSearch {
  rows: string;
  count: string;
  settings: Readonly<Record<string, number>>;
}

/** A read of the visible rows of a dataset in the order of their ids, within a range of ids. */
export interface SequenceRequest {
  table: TableName;
  visible: VisibleLabels;
  /** Excludes this record id and all before it. */
  after?: string;
  /** Starts at this record id. */
  from?: string;
  /** Ends at this record id. */
  until?: string;
  /** -1 means all rows. */
  limit: number;
  columns: RowColumns;
}
