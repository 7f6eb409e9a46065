import type { FileLimits } from './file-limits.ts';

/** The bytes of a file. They can be read several times, once with each call of `stream`. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number;
  /** The path of the file if it is on this machine. Formats that need random access may open it. */
  readonly path?: string;
  /** @param from the offset of the first byte to read, otherwise 0 */
  stream(from?: number): AsyncIterable<Uint8Array>;
  /**
   * Reads bytes at any offset; returns fewer only at the end. Without this method, columnar files are held in memory.
   */
  readAt?(offset: number, length: number): Uint8Array;
}

/**
 * The types that a request can give to a column. `date` and `timestamp` are stored as texts, in the form that queries
 * treat as times.
 */
export const columnTypes = ['text', 'integer', 'number', 'boolean', 'date', 'timestamp', 'json'] as const;
/** One of `columnTypes`. */
export type ColumnType = (typeof columnTypes)[number];

/** How to store one column, or one top-level key of the records. */
export interface ColumnOption {
  /** The name in the file. */
  readonly name: string;
  /** The type of the values. A row with a value of another type is rejected. */
  readonly type?: ColumnType;
  readonly rename?: string;
  readonly skip?: boolean;
}

/** A column that every table must have. */
export interface RequiredColumn {
  /** The name that it is stored under. */
  readonly name: string;
  /** The part of the request that requires the column, for the message. */
  readonly namedBy: string;
}

/**
 * The name of a file and how to read it. Only `fileName` is required: an absent option is detected from the content,
 * and an absent limit has its default.
 */
export interface FileOptions {
  /** The name of the file, for its format and for messages. */
  readonly fileName: string;
  /** A name from `registeredFormats`. By default the format is detected from the content and the file's name. */
  readonly format?: string;
  /** An encoding such as `utf-8` or `windows-1252`. By default it is detected. */
  readonly encoding?: string;
  /** The character between cells. By default it is detected. */
  readonly delimiter?: string;
  /** The character around cells, or the empty text if cells are not quoted. By default it is detected. */
  readonly quote?: string;
  /**
   * The character that makes a quote after it part of a quoted cell, a backslash, or the empty text if a quote is only
   * written twice. By default it is detected.
   */
  readonly escape?: string;
  /** Whether the first row is a header. By default this is detected. */
  readonly header?: boolean;
  readonly columns?: readonly ColumnOption[];
  /**
   * A table that lacks one of these columns is rejected. Formats whose rows have their own keys, such as JSON, are not
   * checked.
   */
  readonly requiredColumns?: readonly RequiredColumn[];
  /** The stored fields that hold labels. Rejected rows are returned with the values of these fields. */
  readonly labelFields?: readonly string[];
  readonly limits?: Partial<FileLimits>;
  /** The first row of a document, counted from 0, whose page is returned as an image if it has no text. */
  readonly scansFrom?: number | undefined;
}

/** How a delimited text file separates rows and cells, as detected or as the options say. */
export interface Dialect {
  readonly delimiter: string;
  /** The quote character; the empty text if cells are not quoted. */
  readonly quote: string;
  /** A backslash if it escapes quotes in quoted cells, or the empty text. */
  readonly escape: string;
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
  /**
   * The number of characters of the decoded text before the row. In formats without text, the number of rows before it.
   */
  readonly offset: number;
  /** The path of the file inside an archive, or the sheet of a workbook. */
  readonly file?: string;
}

/** A row that can be stored. */
export interface Row extends RowPosition {
  readonly kind: 'row';
  /** A JSON object on one line. Numbers have the digits of the file. */
  readonly json: string;
  /** The image of a page of a document that has no text. */
  readonly scan?: PageScan;
  /** The document inside the file that begins with this row. */
  readonly begins?: InnerDocument;
}

/** A document inside a file, such as an attachment of a mail. */
export interface InnerDocument {
  /**
   * Where it is, as steps separated by `/`: `2` is the second attachment of a mail, `m120-4500` the mail of a mailbox
   * that begins at byte 120 and has 4500 bytes, `z3` the third file of a zip archive.
   */
  readonly path: string;
  readonly name: string;
  /** The name of a document format. */
  readonly format: string;
}

/** The image of a page, with one byte for each pixel, from black to white. */
export interface PageScan {
  readonly width: number;
  readonly height: number;
  readonly gray: Uint8Array;
}

/** A row that is not stored, because storing it would change it or lose a part of it. */
export interface RejectedRow extends RowPosition {
  readonly kind: 'reject';
  readonly reason: string;
  /** The beginning of the row as it is in the file. */
  readonly text: string;
  /**
   * A JSON object with the label fields as they would be stored; undefined if they cannot be determined with certainty.
   */
  readonly fields?: string | undefined;
}

/** Rows in the order of the file, each exactly once. */
export type RowBatch = readonly (Row | RejectedRow)[];

/** A file whose beginning has been read, so that its format is known. */
export interface OpenedFile {
  /** A name from `registeredFormats`. */
  readonly format: string;
  /** The archives and compressions around the file, outermost first, such as `zip` or `gzip`. */
  readonly containers: readonly string[];
  readonly encoding?: string;
  readonly dialect?: Dialect;
  readonly columns?: readonly Column[];
  /** The names of all columns in the file, in its order. A `ColumnOption` names its column by one of them. */
  readonly sourceColumns?: readonly string[];
  /**
   * Reads the file from its beginning; it can be called again.
   * @throws FileParseError when the rest of the file cannot be read, after returning the rows before it
   */
  rows(): AsyncIterable<RowBatch>;
}
