import type { RequiredColumn, FileOptions } from '@redoubt/file-formats';

/** How the files of a job are read. Absent options have no key. */
export type FileReading = Omit<FileOptions, 'fileName' | 'limits' | 'requiredColumns'>;

/**
 * The messages that a parser process writes to its standard output, one per line. The first character is the kind of
 * message:
 * - `O` and JSON: the file is open (`ParserOpened`)
 * - `I` and JSON: the path inside an archive, or the sheet, of the rows that follow; null for rows in neither
 * - `R<line>,<offset>,<JSON>`: a row
 * - `X` and JSON: a row that is rejected (`ParserReject`)
 * - `D` and JSON: the document inside the file that begins with the row that follows (`InnerDocument`)
 * - `G<width>,<height>,<base64>`: the image of the page in the row that follows, one byte for each pixel
 * - `P` and a number: bytes of the file that were read
 * - `F` and JSON: the rest of the file cannot be read (`ParserError`)
 * - `E`: the end of the file
 */
export interface ParserOpened {
  format: string;
  containers?: string[];
  encoding?: string;
  dialect?: { delimiter: string; quote: string; escape: string; header: boolean; newline: string };
  columns?: { name: string; type: string }[];
  sourceColumns?: string[];
}

export interface ParserReject {
  line: number;
  offset: number;
  reason: string;
  text: string;
  /** The label fields of the row as the JSON of an object; absent if they cannot be determined. */
  fields?: string | undefined;
}

export interface ParserError {
  line: number;
  text: string;
}

/** The task that a parser process reads from standard input. It names neither the file nor its dataset or people. */
export interface ParserTask {
  /** The last part of the file's name, such as `.csv`; formats are found by content first. */
  extension: string;
  /** Whether the rows are the pages of a document. */
  isDocument: boolean;
  /** The options of the request for reading files. */
  reading: FileReading;
  /** The columns that every table must have. */
  requiredColumns: readonly RequiredColumn[];
  /** Fields that hold labels; the parser reports them with rejected rows. */
  labelFields: readonly string[];
  /** The first row whose page is sent as an image if it has no text. */
  scansFrom?: number | undefined;
}
