import type { VisibleLabels } from '@redoubt/labels';
import type { LuceneNode } from '../lucene/lucene-node.ts';
import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import { recordColumns } from '../storage/record-columns.ts';
import { fileNames, createUniquePrefix } from '../storage/file-names.ts';
import { compileLabelFilter } from './label-filter.ts';
import { compileLucene } from './compile-lucene.ts';
import { allOf } from './predicate.ts';
import { selectVisiblePaths } from './visible-paths.ts';
import type { PathCatalog, TableName } from './search-types.ts';

/** A column of a table that people get: its name, and the engine's expression over a row of the dataset. */
export interface TableColumn {
  name: string;
  sql: string;
}

export interface FilePagesRequest {
  table: TableName;
  visible: VisibleLabels;
  /** What rows have to match; absent is all. */
  search?: { tree: LuceneNode; paths: PathCatalog } | undefined;
  columns: readonly TableColumn[];
  /** What has to stand before the SELECT of the columns: of `compileVisibleText`. */
  clause: string;
}

/** Rows by their record ids. */
export interface RecordIdRange {
  /** After this id. */
  after?: string | undefined;
  /** From this id on, itself included. */
  from?: string | undefined;
  /** Up to this id, itself included. */
  until?: string | undefined;
}

/** The statements that give a table page by page. */
export interface CompiledFilePages {
  /** A row for each of the next pages, in order: how many visible rows it has, and the first and last of their ids. */
  next(bounds: RecordIdRange, pages: { rows: number; limit: number; offset: number }): string;
  /** The rows of a page as typed columns, in the order of ids. To be asked for with `filePageSettings`. */
  page(bounds: RecordIdRange): string;
}

/**
 * What a page has to be asked for with, so that the engine writes it as one block: blocks that follow how rows are stored would
 * tell of those that were passed over between them. All rows are sorted, by one thread and in memory, which puts them together;
 * rows that are read in order, are merged out of several threads or come back from files do not come in one piece.
 */
export const filePageSettings = {
  max_threads: 1,
  max_block_size: 1_000_000,
  optimize_read_in_order: 0,
  optimize_sorting_by_input_stream_properties: 0,
  max_bytes_before_external_sort: 0,
  max_bytes_ratio_before_external_sort: 0,
  prefer_external_sort_block_bytes: 0,
} as const;

/**
 * Pages are told apart by ids of visible rows alone. A name of a column is given outside of where rows are chosen and sorted,
 * so that no field's name is taken for a column of the table there.
 */
export function compileFilePages({
  table,
  visible,
  search,
  columns,
  clause,
}: FilePagesRequest): CompiledFilePages {
  const { recordId } = recordColumns;
  const conditions = [
    compileLabelFilter(visible),
    ...(search === undefined ? [] : [compileLucene(search.tree, selectVisiblePaths(search.paths, visible))]),
  ];
  const from = `FROM ${quoteIdentifier(table.database)}.${quoteIdentifier(table.datasetId)}`;
  const where = ({ after, from: first, until }: RecordIdRange): string =>
    allOf([...conditions, ...bound('>', after), ...bound('>=', first), ...bound('<=', until)]);
  const bound = (operator: string, id: string | undefined): string[] =>
    id === undefined || id === '' ? [] : [`${recordId} ${operator} ${quoteString(id)}`];
  const names = fileNames(columns.map(({ name }) => name));
  const inner = createUniquePrefix(names, 'row_value');
  const row = columns.map(({ sql }, index) => `${sql} AS ${inner}${String(index)}`).join(', ');
  const list = names.map((name, index) => `${inner}${String(index)} AS ${quoteIdentifier(name)}`).join(', ');
  return {
    next: (bounds, { rows, limit, offset }) => {
      const ids = `SELECT ${recordId} ${from} WHERE ${where(bounds)} ORDER BY ${recordId} LIMIT ${String(limit)} OFFSET ${String(offset)}`;
      const numbered = `SELECT ${recordId}, rowNumberInAllBlocks() AS row FROM (${ids})`;
      return `SELECT count(), min(${recordId}) AS first, max(${recordId}) FROM (${numbered}) GROUP BY intDiv(row, ${String(rows)}) ORDER BY first`;
    },
    page: (bounds) =>
      `SELECT ${list} FROM (${clause}SELECT ${recordId} AS ${inner}, ${row} ${from} WHERE ${where(bounds)}) ORDER BY ${inner}`,
  };
}
