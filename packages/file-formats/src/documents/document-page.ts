import type { PageScan, Row } from '../file-format.ts';
import type { FileLimits } from '../file-limits.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { ExifFields } from './images/read-exif.ts';
import { quoteText } from '../rows/quote-text.ts';

/** A text as records can store it: without NUL characters and halves of characters, with the line ends of Unix. */
const cleanText = (text: string): string =>
  text.replaceAll('\0', '').replaceAll(/\r\n?/g, '\n').toWellFormed();

/** Maximum number of pixels of the scan of a page: A4 at 450 dots per inch. */
export const maxScanPixels = 20_000_000;

/** What a row has beside the page and its text. */
export interface PageExtras {
  /** The image of a page whose text is to be recognised. */
  scan?: PageScan | undefined;
  /** Why the text of the page is missing. */
  error?: string;
  /** The fields of EXIF of a picture. */
  exif?: ExifFields | undefined;
}

/**
 * Creates the row of a page.
 * @param page counted from 1
 * @throws FileParseError when the text is longer than a record may be
 */
export function pageRow(
  page: number,
  text: string,
  { maxRowLength }: Pick<FileLimits, 'maxRowLength'>,
  fileName: string,
  { scan, error, exif }: PageExtras = {},
): Row {
  const ending = [
    error === undefined ? '' : `,"error":${quoteText(cleanText(error))}`,
    exif === undefined ? '' : `,"exif":${JSON.stringify(exif)}`,
  ].join('');
  const json = `{"page":${String(page)},"text":${quoteText(cleanText(text))}${ending}}`;
  if (Buffer.byteLength(json) <= maxRowLength - reservedBytes)
    return { kind: 'row', line: 0, offset: page - 1, json, ...(scan === undefined ? {} : { scan }) };
  throw new FileParseError(
    fileName,
    0,
    `the text of page ${String(page)} has more than ${String(maxRowLength - reservedBytes)} bytes, and a page is one record. Split the file.`,
  );
}

/** The bytes of a record that its other fields may take. */
const reservedBytes = 2_000_000;
