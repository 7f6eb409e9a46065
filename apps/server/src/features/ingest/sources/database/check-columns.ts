import { chooseColumns, FileParseError } from '@redoubt/file-formats';
import { ReaderError } from '../reader-error.ts';
import type { DatabaseTask } from './database-messages.ts';

/**
 * Checks the columns of a result by the rules for tables in files: the request may name none that is not there.
 * @returns the names under which the rows are written; a repeated one gets a number
 */
export const checkColumns = (
  names: readonly string[],
  { columns, requiredColumns }: Pick<DatabaseTask, 'columns' | 'requiredColumns'>,
): string[] => {
  if (names.length === 0)
    throw new ReaderError('The statement returns no columns. Send a statement that reads rows.');
  try {
    return chooseColumns(names, { fileName: '', columns, requiredColumns }, 0).map(({ source }) => source);
  } catch (error) {
    if (!(error instanceof FileParseError)) throw error;
    throw new ReaderError(`The result does not fit: ${error.text}`);
  }
};
