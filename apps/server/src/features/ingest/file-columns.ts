import { RedoubtError } from '@redoubt/errors';
import type { RequiredColumn } from '@redoubt/file-formats';
import { extname } from 'node:path';
import { labelFieldsOf, type IngestOptions } from './ingest-options.ts';
import type { ParserTask } from './parser/parser-messages.ts';
import type { ParserItem } from './parser/start-parser.ts';

/** An error in a file. @param line 0 for the file as a whole */
export const fileError = (file: string, line: number, text: string): RedoubtError =>
  new RedoubtError('FileParseError', `${file}${line > 0 ? `, line ${String(line)}` : ''}: ${text}`);

const recordIdName = '_koverse_record_id';

export const recordIdColumn = (file: string, line: number): RedoubtError =>
  fileError(
    file,
    line,
    `it has the column ${recordIdName}. An ingest adds records and replaces none; remove the column, or replace records with POST /v2/write.`,
  );

/** The columns that contain labels or keys. A table without one of them is rejected. */
export const requiredColumnsOf = ({ securityLabelInfo, write }: IngestOptions): RequiredColumn[] => [
  ...labelFieldsOf(securityLabelInfo).map((name) => ({ name, namedBy: 'securityLabelInfo.fields' })),
  ...(write?.mode === 'upsert' ? write.keys : []).map((name) => ({ name, namedBy: 'keyColumns' })),
];

/**
 * The task of a parser process for a file.
 * @param scansFrom the first page of a document that is sent as an image if it has no text
 */
export const parserTask = (fileName: string, options: IngestOptions, scansFrom?: number): ParserTask => ({
  scansFrom,
  extension: extname(fileName).slice(0, 20),
  isDocument: options.isDocument === true,
  reading: options.reading ?? {},
  requiredColumns: requiredColumnsOf(options),
  labelFields: labelFieldsOf(options.securityLabelInfo),
});

/** @throws RedoubtError when rows of the file would replace records */
export const refuseRecordIds = (
  file: string,
  { columns = [] }: Extract<ParserItem, { kind: 'opened' }>['opened'],
): void => {
  if (columns.some(({ name }) => name === recordIdName)) throw recordIdColumn(file, 0);
};
