import type { ConnectionAllowed } from '@redoubt/contract';
import { badField, describeValue, invalidField } from '@redoubt/errors';
import type { DatabaseTask } from './database-messages.ts';

/** The fields of connectionInfo that a stored connection to a database holds. */
export const databaseFields = [
  'databaseType',
  'host',
  'port',
  'database',
  'username',
  'password',
  'tls',
] as const;

const place = 'dataSourceParams.connectionInfo';

/** @throws RedoubtError 400 for a table that the connection does not allow, and for a query where it allows tables */
export const requireAllowedTable = (
  { schema, table, query }: Pick<DatabaseTask, 'query' | 'schema' | 'table'>,
  allowed: ConnectionAllowed | null,
): void => {
  if (allowed === null) return;
  if (query !== undefined)
    throw badField(
      `${place}.query`,
      'must not be sent, because the connection allows only some tables. Name one of them.',
    );
  const name = `${schema ?? ''}.${table ?? ''}`;
  // Two names with points could read as one entry of the list.
  const isExact = name.split('.').length === 2;
  if (isExact && allowed.tables?.includes(name) === true) return;
  throw invalidField({
    field: `${place}.table`,
    expected: 'a table that the connection allows, with its schema in schema',
    got: describeValue(name),
    advice: 'Send schema and table of an allowed one, or ask a person who manages the connection.',
  });
};

/** @throws RedoubtError 400 for an entry that is no `schema.table` */
export const requireTableNames = (allowed: ConnectionAllowed | null): void => {
  for (const [index, name] of (allowed?.tables ?? []).entries()) {
    if (/^[^.\0]+\.[^.\0]+$/.test(name)) continue;
    throw invalidField({
      field: `allowed.tables.${String(index)}`,
      expected: 'a table as schema.table, without further points',
      got: describeValue(name),
      advice: 'In MySQL the schema is the name of the database.',
    });
  }
};

/** What lists the tables that a user of the database sees. SQL Server may be sent no query. */
export const tablesOf = (databaseType: unknown): Pick<DatabaseTask, 'query' | 'schema' | 'table'> =>
  databaseType === 'mssql' ? { schema: 'INFORMATION_SCHEMA', table: 'TABLES' } : { query: tablesQuery };

/** A row of the list of tables. */
export interface TableRow {
  TABLE_SCHEMA: string;
  TABLE_NAME: string;
}

const tablesQuery = `SELECT table_schema AS "TABLE_SCHEMA", table_name AS "TABLE_NAME" FROM information_schema.tables
  WHERE table_schema NOT IN ('information_schema', 'pg_catalog', 'performance_schema', 'mysql', 'sys')
  ORDER BY table_schema, table_name`;
