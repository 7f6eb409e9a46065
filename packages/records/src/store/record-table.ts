import { sourceColumnTypes } from '../intake/record-source.ts';
import { summaryCopyColumns, quoteIdentifier, recordColumns, wordsIndex } from '@redoubt/query';

const {
  recordId,
  labelId,
  ingestedAt,
  raw,
  doc,
  fields,
  words,
  looseCode,
  looseText,
  looseNumber,
  timePath,
  timeMicros,
} = recordColumns;

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const datasetPattern = /^[A-Za-z0-9-]{1,64}$/;

/**
 * The name of the table of a dataset. The bulk insert of chdb accepts only letters, digits and `_`.
 * @throws Error for an id with other characters than a UUID, so that nothing else can reach a statement
 */
export function tableName(datasetId: string): string {
  if (!datasetPattern.test(datasetId)) throw new Error('A dataset id holds letters, digits and "-" alone.');
  return `ds_${datasetId.replaceAll('-', '_')}`;
}

/** @throws Error for a database name that the bulk insert of chdb does not accept */
export function requireDatabaseName(database: string): void {
  if (!namePattern.test(database))
    throw new Error(`"${database}" is no database name: use letters, digits and "_".`);
}

/** A quoted table for a statement. */
export const qualifyTable = (database: string, table: string): string =>
  `${quoteIdentifier(database)}.${quoteIdentifier(table)}`;

const typesOf = (docType: string): readonly (readonly [column: string, type: string])[] => [
  [recordId, 'String'],
  // Stores only as many bits as the ids need. Each query scans this column, which then takes a fifth of the time.
  [labelId, 'UInt32 CODEC(T64, LZ4)'],
  [ingestedAt, "DateTime64(3, 'UTC')"],
  [raw, 'String CODEC(ZSTD(1))'],
  [doc, docType],
  [fields, 'Array(UInt32)'],
  [words, 'String'],
  [looseCode, 'Array(UInt32)'],
  [looseText, 'Array(String)'],
  [looseNumber, 'Array(Nullable(Float64))'],
  [timePath, 'Array(UInt32)'],
  [timeMicros, 'Array(Int64)'],
];

const columnList = (columns: readonly (readonly [string, string])[]): string =>
  columns.map(([column, type]) => `\n  ${column} ${type}`).join(',');

/** The columns of a record, with `doc` of this type. */
export const recordColumnDefinitions = (docType: string): string => columnList(typesOf(docType));

/** The columns of the table of a dataset. */
export const datasetColumnDefinitions = columnList([...typesOf('JSON'), ...sourceColumnTypes]);

/** Syncs files to disk before an insert is acknowledged, and before a merge replaces parts. */
const durable =
  'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1';

export const orderOfRecords = `ORDER BY ${recordId}`;
/**
 * Lightweight updates need the two settings about blocks. Small parts are merged eight at a time instead of five, so
 * that rows are merged less often, at two thirds of the work. For old parts the engine merges fewer at a time.
 */
export const recordTableSettings = `enable_block_number_column = 1, enable_block_offset_column = 1, merge_selector_base = 8, ${durable}`;
export const stagingSettings = durable;

/** The table of a dataset. */
export const createTable = (database: string, table: string): string => `
CREATE TABLE IF NOT EXISTS ${qualifyTable(database, table)} (${datasetColumnDefinitions},
  ${wordsIndex}
) ENGINE = MergeTree ${orderOfRecords}
SETTINGS ${recordTableSettings}`;

/** A selected record, with the label that it had when it was selected. */
export const selectionColumns = `${recordId} String, ${labelId} UInt32`;

/** The columns for making arrived records visible: the label of each until then, its final label, and its id. */
export const arrivalColumns: readonly string[] = ['arriving', labelId, recordId];
export const arrivalColumnDefinitions = `arriving UInt32, ${labelId} UInt32, ${recordId} String`;

/** The columns of a record without its id. */
const replacedColumns: readonly string[] = [
  ingestedAt,
  raw,
  doc,
  fields,
  words,
  looseCode,
  looseText,
  looseNumber,
  timePath,
  timeMicros,
];

/** The columns of a record in a copy for summaries; `sight` contains its label. */
export const copiedColumns: readonly string[] = [
  recordId,
  ...replacedColumns.filter((column) => column !== ingestedAt),
];

/**
 * The table of all copies for summaries. A part may contain many datasets with many paths, so it is stored as one file
 * instead of several files for each path. When copies are removed from a part, the old part is deleted from the disk at
 * once.
 * @param keptHours after how many hours the engine drops copies
 */
export const createCopiesTable = (database: string, table: string, keptHours: number): string => `
CREATE TABLE IF NOT EXISTS ${qualifyTable(database, table)} (
  ${summaryCopyColumns.madeAt} DateTime('UTC'),
  ${summaryCopyColumns.writer} String,
  ${summaryCopyColumns.visibility} UInt64,
  ${summaryCopyColumns.dataset} LowCardinality(String),
  ${summaryCopyColumns.state} LowCardinality(String),${columnList(typesOf('JSON').filter(([column]) => copiedColumns.includes(column)))},
  ${wordsIndex}
) ENGINE = MergeTree PARTITION BY toStartOfHour(${summaryCopyColumns.madeAt}) ORDER BY (${summaryCopyColumns.writer}, ${summaryCopyColumns.visibility}, ${recordId})
TTL ${summaryCopyColumns.madeAt} + INTERVAL ${String(keptHours)} HOUR
SETTINGS ttl_only_drop_parts = 1, merge_with_ttl_timeout = 600, old_parts_lifetime = 0, min_bytes_for_wide_part = 1000000000, ${durable}`;
