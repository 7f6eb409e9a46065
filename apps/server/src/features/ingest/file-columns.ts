import { badRequest, RedoubtError } from '@redoubt/errors';
import { labelFieldsOf, type IngestOptions } from './ingest-options.ts';
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

/** Formats whose files have the same columns in every row. */
const columnarFormats: ReadonlySet<string> = new Set(['parquet', 'avro', 'orc', 'arrow']);

/** A table with a header has its columns in every row, so a label column that is not among them is a mistake. */
export const requireColumns = (
  file: string,
  options: IngestOptions,
  { columns, dialect, format }: Extract<ParserItem, { kind: 'opened' }>['opened'],
): void => {
  if (columns === undefined) return;
  const names = new Set(columns.map(({ name }) => name));
  if (names.has(recordIdName)) throw recordIdColumn(file, 0);
  if (dialect === undefined && !columnarFormats.has(format)) return;
  const keys = options.write?.mode === 'upsert' ? options.write.keys : [];
  const fields = labelFieldsOf(options.securityLabelInfo);
  const missing = [...fields, ...keys].find((field) => !names.has(field));
  if (missing === undefined) return;
  const shown = [...names].slice(0, 20).map((name) => JSON.stringify(name));
  throw badRequest(
    `${file}: it has no column ${JSON.stringify(missing)}, which ${fields.includes(missing) ? 'securityLabelInfo.fields names' : 'keyColumns names'}. Its columns are ${shown.join(', ')}${names.size > shown.length ? ', …' : ''}.`,
  );
};
