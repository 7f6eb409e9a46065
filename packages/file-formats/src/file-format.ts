import type { FileLimits } from './file-limits.ts';

/** The bytes of a file. Each call of `stream` reads them anew. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** Where the file is on this machine, if it is: formats that are read in any order may open it. */
  readonly path?: string;
  /** @param from the offset of the first byte to read, otherwise 0 */
  stream(from?: number): AsyncIterable<Uint8Array>;
  /** Reads bytes anywhere in the file, fewer only at its end. Without it columnar files are held in memory. */
  readAt?(offset: number, length: number): Uint8Array;
}

/**
 * The types that a request can give to a column. `date` and `timestamp` are texts of records in the form that queries read as times.
 */
export const columnTypes = ['text', 'integer', 'number', 'boolean', 'date', 'timestamp', 'json'] as const;
/** One of `columnTypes`. */
export type ColumnType = (typeof columnTypes)[number];

/** What to do with one column, or with one top-level key of the records. */
export interface ColumnOption {
  /** The name in the file. */
  readonly name: string;
  /** A value that is not of the type rejects its row. */
  readonly type?: ColumnType;
  readonly rename?: string;
  readonly skip?: boolean;
}

/** A column that every table must have. */
export interface RequiredColumn {
  /** The name that it is stored under. */
  readonly name: string;
  /** What names the column, for the message. */
  readonly namedBy: string;
}

/**
 * The name of a file and how to read it. Only `fileName` is required: an absent option is detected from the content,
 * and an absent limit has its default.
 */
export interface FileOptions {
  /** The name of the file, for its format and for messages. */
  readonly fileName: string;
  /** A name from `registeredFormats`, otherwise detected from the content and the file's name. */
  readonly format?: string;
  /** Such as `utf-8` or `windows-1252`, otherwise detected. */
  readonly encoding?: string;
  /** One character between the cells, otherwise detected. */
  readonly delimiter?: string;
  /** One character around cells, or none: an empty text. Otherwise detected. */
  readonly quote?: string;
  /** Whether the first row names the columns, otherwise detected. */
  readonly header?: boolean;
  readonly columns?: readonly ColumnOption[];
  /** A table without one of these is refused. Formats whose rows have keys of their own are not looked at. */
  readonly requiredColumns?: readonly RequiredColumn[];
  /** Stored fields that hold labels: rejected rows are given with their values. */
  readonly labelFields?: readonly string[];
  readonly limits?: Partial<FileLimits>;
}

/** How a delimited text file separates rows and cells, as detected or as the options say. */
export interface Dialect {
  readonly delimiter: string;
  /** The quote character; the empty text if cells are not quoted. */
  readonly quote: string;
  readonly header: boolean;
  readonly newline: '\n' | '\r\n' | '\r';
}

/** A column as it is stored: after renaming, without skipped columns. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** The position where a row begins. */
export interface RowPosition {
  /** The line, or the row of a sheet, counted from 1; 0 for formats without lines. */
  readonly line: number;
  /** Characters of the decoded text before the row; the number of the row, counted from 0, in formats without text. */
  readonly offset: number;
  /** The path of the file inside an archive, or the sheet of a workbook. */
  readonly file?: string;
}

/** A row that can be stored. */
export interface Row extends RowPosition {
  readonly kind: 'row';
  /** A JSON object on one line. Numbers have the digits of the file. */
  readonly json: string;
}

/** A row that is rejected, because storing it would change it or lose a part. */
export interface RejectedRow extends RowPosition {
  readonly kind: 'reject';
  readonly reason: string;
  /** The beginning of the row as it is in the file. */
  readonly text: string;
  /** A JSON object with the label fields as they would be stored; undefined when they cannot be told for sure. */
  readonly fields?: string | undefined;
}

/** Rows in the order of the file, each exactly once. */
export type RowBatch = readonly (Row | RejectedRow)[];

/** A file whose beginning has been read. */
export interface OpenedFile {
  /** A name from `registeredFormats`. */
  readonly format: string;
  /** The archives and compressions around the file, outermost first, such as `zip` or `gzip`. */
  readonly containers: readonly string[];
  readonly encoding?: string;
  readonly dialect?: Dialect;
  readonly columns?: readonly Column[];
  /** The names of all columns in the file, in its order: those that `ColumnOption` names. */
  readonly sourceColumns?: readonly string[];
  /**
   * Reads the file from its beginning; it can be called again.
   * @throws FileParseError when the rest of the file cannot be read; the rows before have been returned
   */
  rows(): AsyncIterable<RowBatch>;
}
