import type { DatabaseTask } from './database-messages.ts';

/** How a kind of database writes names and cursor values. */
export interface Dialect {
  quoted(name: string): string;
  /** A value of the cursor column, less the overlap. */
  lowerBound(value: string): string;
}

/** The name of the table that is read, with its schema if it is sent. */
export const tableName = (
  { schema, table = '' }: Pick<DatabaseTask, 'schema' | 'table'>,
  quoted: Dialect['quoted'],
): string => (schema === undefined ? quoted(table) : `${quoted(schema)}.${quoted(table)}`);

export const baseStatement = (task: DatabaseTask, quoted: Dialect['quoted']): string =>
  task.query ?? `SELECT * FROM ${tableName(task, quoted)}`;

/** The rows as a table in parentheses. A comment at the end of the query must not take the parenthesis. */
const derived = (task: DatabaseTask, quoted: Dialect['quoted']): string =>
  `(${baseStatement(task, quoted).replace(/[\s;]+$/, '')}\n) AS redoubt_source`;

/** A statement without rows, which tells the columns. */
export const columnsStatement = (task: DatabaseTask, quoted: Dialect['quoted']): string =>
  `SELECT * FROM ${derived(task, quoted)} LIMIT 0`;

/** The greatest value of the cursor column after `last`. */
export const greatestStatement = (
  task: DatabaseTask,
  column: string,
  last: string | undefined,
  { quoted, lowerBound }: Dialect,
): string => {
  const name = quoted(column);
  const after = last === undefined ? '' : ` AND ${name} > ${lowerBound(last)}`;
  return `SELECT ${name} FROM ${derived(task, quoted)} WHERE ${name} IS NOT NULL${after} ORDER BY ${name} DESC LIMIT 1`;
};

/**
 * The rows that have changed since `from`, and those without a cursor value. The last column tells which rows a job
 * that continues from `next` reads again.
 */
export const changedStatement = (
  task: DatabaseTask,
  column: string,
  { from, next }: { from: string | undefined; next: string | undefined },
  { quoted, lowerBound }: Dialect,
): string => {
  const name = quoted(column);
  const kept = next === undefined ? '1' : `CASE WHEN ${name} >= ${lowerBound(next)} THEN 1 ELSE 0 END`;
  const where = from === undefined ? '' : ` WHERE ${name} >= ${lowerBound(from)} OR ${name} IS NULL`;
  return `SELECT redoubt_source.*, ${kept} AS redoubt_kept FROM ${derived(task, quoted)}${where}`;
};
