import type { VisibleLabels } from '@redoubt/labels';
import type { LuceneNode } from '../lucene/lucene-node.ts';
import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import { recordColumns } from '../storage/record-columns.ts';
import { fileNames, createUniquePrefix } from '../storage/file-names.ts';
import { compileLabelPredicate } from './label-filter.ts';
import { compileLucene } from './compile-lucene.ts';
import { allOf } from './predicate.ts';
import { selectVisiblePaths } from './visible-paths.ts';
import type { PathCatalog, TableName } from './search-types.ts';

/** A column of an exported table: its name, and the engine expression that computes it from a row of the dataset. */
export interface TableColumn {
  name: string;
  sql: string;
}

/** The rows and columns of an exported table. */
export interface FilePagesRequest {
  table: TableName;
  visible: VisibleLabels;
  /** The search that selects rows. Without it, all visible rows are exported. */
  search?: { tree: LuceneNode; paths: PathCatalog } | undefined;
  columns: readonly TableColumn[];
  /** The WITH clause that the columns need, as returned by `clauseFor` of `compileVisibleText`. */
  clause: string;
}

/** A range of record ids. Absent bounds are open. */
export interface RecordIdRange {
  /** Excludes this id and all before it. */
  after?: string | undefined;
  /** Starts at this id. */
  from?: string | undefined;
  /** Ends at this id. */
  until?: string | undefined;
}

/** Compiles the statements that read an exported table page by page. */
export interface CompiledFilePages {
  /** Returns one row for each of the next pages: the number of visible rows, the first id and the last id. */
  next(bounds: RecordIdRange, pages: { rows: number; limit: number; offset: number }): string;
  /** Returns the rows of a page as typed columns, in the order of ids. Run it with `filePageSettings`. */
  page(bounds: RecordIdRange): string;
}

/**
 * Settings with which the engine writes a page as one block. Several blocks would end where the stored rows end, so
 * their sizes would disclose how many hidden rows are between the visible ones. Only a sort of all rows by one thread
 * in memory produces one block, so the settings disable parallel sorts, sorts in files and reads in the stored order.
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
 * Compiles the statements that read the visible rows of a dataset page by page. The bounds of a page are ids of visible
 * rows. An outer SELECT names the output columns: in the inner SELECT, the engine could take the name of a field for
 * a column of the table.
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
    compileLabelPredicate(visible),
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
