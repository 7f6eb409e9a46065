/**
 * The columns with the file and the row that a record comes from. Only an ingest sets them; for other records, the file
 * is empty. Neither fields of records nor statements of readers can refer to these columns.
 */
export const sourceColumns = {
  file: 'source_file',
  /** The number of the first row of the block that the row was stored with. */
  batch: 'source_batch',
  row: 'source_row',
  line: 'source_line',
  offset: 'source_offset',
} as const;

export const sourceColumnNames: readonly string[] = Object.values(sourceColumns);

/** Numbers grow from row to row, so their differences are stored. */
const place = 'UInt64 CODEC(Delta, LZ4)';

export const sourceColumnTypes: readonly (readonly [column: string, type: string])[] = [
  [sourceColumns.file, 'LowCardinality(String)'],
  [sourceColumns.batch, place],
  [sourceColumns.row, place],
  [sourceColumns.line, place],
  [sourceColumns.offset, place],
];

/** The rows of a file that the records of a body come from, in their order. */
export interface RecordSource {
  file: string;
  batch: number;
  rows: Float64Array;
  lines: Float64Array;
  offsets: Float64Array;
}

const filePattern = /^[A-Za-z0-9-]{1,64}$/;

/** The batch of a record that was replaced by a write. It still comes from its file, but has no place in it. */
export const batchOfReplaced = Number.MAX_SAFE_INTEGER;

/** The columns of a record that comes from no file, in the format TabSeparated. */
const noSource = '\t0\t0\t0\t0';

/** The columns of the record at this index, in the format TabSeparated. */
export function sourceText(source: RecordSource | undefined, index: number): string {
  if (source === undefined) return noSource;
  const { file, batch, rows, lines, offsets } = source;
  if (!filePattern.test(file)) throw new Error('The id of a file has only letters, digits and "-".');
  return [file, batch, rows[index] ?? 0, lines[index] ?? 0, offsets[index] ?? 0].join('\t');
}

/** The source columns of a record after a write replaced it, given those from before, in the format TabSeparated. */
export function replacedSourceText(before: string): string {
  const file = before.slice(0, before.indexOf('\t'));
  return file === '' ? noSource : [file, batchOfReplaced, 0, 0, 0].join('\t');
}
