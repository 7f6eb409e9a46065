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

/** The rows of a statement as a table in parentheses. A comment at its end must not take the parenthesis. */
export const asTable = (statement: string): string =>
  `(${statement.replace(/[\s;]+$/, '')}\n) AS redoubt_source`;

const derived = (task: DatabaseTask, quoted: Dialect['quoted']): string =>
  asTable(baseStatement(task, quoted));

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

/** The condition for rows that have changed since `from`, and for those without a cursor value; empty for all rows. */
export const changedCondition = (
  column: string,
  from: string | undefined,
  { quoted, lowerBound }: Dialect,
): string => {
  const name = quoted(column);
  return from === undefined ? '' : ` WHERE ${name} >= ${lowerBound(from)} OR ${name} IS NULL`;
};

/** 1 for rows that a job which continues from `next` reads again, and 0 for others. */
export const keptExpression = (
  column: string,
  next: string | undefined,
  { quoted, lowerBound }: Dialect,
): string =>
  next === undefined ? '1' : `CASE WHEN ${quoted(column)} >= ${lowerBound(next)} THEN 1 ELSE 0 END`;

/**
 * The rows that have changed since `from`, and those without a cursor value. The last column tells which rows a job
 * that continues from `next` reads again.
 */
export const changedStatement = (
  task: DatabaseTask,
  column: string,
  { from, next }: { from: string | undefined; next: string | undefined },
  dialect: Dialect,
): string =>
  `SELECT redoubt_source.*, ${keptExpression(column, next, dialect)} AS redoubt_kept FROM ${derived(task, dialect.quoted)}${changedCondition(column, from, dialect)}`;
