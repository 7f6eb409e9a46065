import { checkColumns } from './check-columns.ts';
import type { DatabaseItem, DatabaseTask } from './database-messages.ts';
import { findColumns, hashRow, requireCursor } from './incremental.ts';
import { jsonObject } from './json-values.ts';

/** A column of a result. */
export interface ReadColumn<Value> {
  name: string;
  /** The JSON of a value that is not null. */
  toJson(value: Value): string;
}

/**
 * Creates the function that makes an item of each row of a result.
 * @param textOf the text of a value, as the database wrote it
 * @throws ReaderError for columns that the request does not allow, or that it needs and that are not there
 */
export const createToItem = <Value>(
  columns: readonly ReadColumn<Value>[],
  task: DatabaseTask,
  textOf: (value: Value) => string,
): ((row: readonly (Value | null)[]) => Extract<DatabaseItem, { row: string }>) => {
  const { incremental } = task;
  // The last column of an incremental read tells which rows are read again.
  const shown = incremental === undefined ? columns : columns.slice(0, -1);
  const found = shown.map(({ name }) => name);
  const names = checkColumns(found, task);
  const toJson = (row: readonly (Value | null)[]): string =>
    jsonObject(
      names,
      shown.map((column, index) => {
        const value = row[index] ?? null;
        return value === null ? 'null' : column.toJson(value);
      }),
    );
  if (incremental === undefined) return (row) => ({ row: toJson(row) });
  const { cursor, keys } = findColumns(found, incremental);
  return (row) => {
    const textAt = (at: number): string | null => {
      const value = row[at] ?? null;
      return value === null ? null : textOf(value);
    };
    const value = textAt(cursor);
    const key = keys.map(textAt);
    requireCursor(incremental.column, value, key);
    return { row: toJson(row), hash: hashRow(value ?? '', key), isKept: textAt(columns.length - 1) === '1' };
  };
};
