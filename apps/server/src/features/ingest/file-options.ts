import { FileOptions, strictObject, type UploadPreview } from '@redoubt/contract';
import { expectedMessage, invalidField, securityError, describeValue } from '@redoubt/errors';
import type { ColumnOption } from '@redoubt/file-formats';
import { findOptionError } from '@redoubt/file-formats/options';
import { createValidator } from '../../platform/http/validation.ts';
import type { ParserOpened, FileReading } from './parser/parser-messages.ts';

const requireShape = createValidator(strictObject({ fileOptions: FileOptions }), 'body');

/** @throws RedoubtError 400 for options that are wrong for every file */
export const toFileReading = (sent: FileOptions | null | undefined): FileReading => {
  if (sent === undefined || sent === null) return {};
  requireShape({ fileOptions: sent });
  const error = findOptionError(sent);
  if (error !== undefined) throw invalidField({ ...error, field: `fileOptions.${error.field}` });
  return sent;
};

/**
 * Checks that no option renames, skips or converts the columns with labels: without one of them, records would become
 * visible to more readers.
 * @param fields the names of the stored fields that hold labels; a dotted name is a key, or a path into the key at its
 * start
 */
export const requireLabelColumns = ({ columns = [] }: FileReading, fields: readonly string[]): void => {
  for (const field of fields) {
    for (const key of new Set([field, field.split('.')[0] ?? field])) {
      const got = changeOf(columns, key, key === field ? 'text' : 'json');
      if (got === undefined) continue;
      const message = expectedMessage({
        field: 'securityLabelInfo.fields',
        expected: 'fields that fileOptions.columns stores unchanged',
        got: `${describeValue(field)}, whose column ${describeValue(key)} is ${got}`,
        advice: 'Take the option away, or name another field.',
      });
      throw securityError(message, [{ field: 'securityLabelInfo.fields', message }]);
    }
  }
};

/** Describes how the options change the values that are stored under a key; undefined if they do not change them. */
export const changeOf = (
  columns: readonly ColumnOption[],
  key: string,
  harmlessType: ColumnOption['type'],
): string | undefined => {
  const own = columns.find(({ name }) => name === key);
  const made = columns.find(({ rename, skip }) => rename === key && skip !== true);
  if (made === undefined) {
    if (own?.skip === true) return 'skipped';
    if (own?.rename !== undefined && own.rename !== key) return 'renamed';
  }
  const { type } = made ?? own ?? {};
  return type === undefined || type === harmlessType ? undefined : `of the type ${type}`;
};

/** Formats that contain files. Each file inside is detected separately. */
const archives: ReadonlySet<string> = new Set(['zip', 'tar']);

/**
 * The options with which the file would be read again exactly as it was detected now.
 * @param isDocument documents take an encoding alone
 */
export const optionsAsRead = (
  reading: FileReading,
  { format, encoding, dialect }: ParserOpened,
  isDocument: boolean,
): UploadPreview['fileOptions'] => {
  if (isDocument) return encoding === undefined ? {} : { encoding };
  const { columns: requestedColumns, ...given } = reading;
  const columns = requestedColumns === undefined ? {} : { columns: [...requestedColumns] };
  // What was detected for one file of an archive may be wrong for the others.
  if (archives.has(format)) return { ...given, ...columns };
  return {
    // Formats without an encoding are binary. They are always detected, and must not be read as text.
    ...(encoding === undefined ? {} : { format, encoding }),
    ...(given.header === undefined ? {} : { header: given.header }),
    ...(dialect === undefined
      ? {}
      : {
          delimiter: dialect.delimiter,
          quote: dialect.quote,
          escape: dialect.escape,
          header: dialect.header,
        }),
    ...columns,
  };
};
