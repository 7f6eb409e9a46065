import type { ParserHost } from '../../parser/start-parser.ts';
import type { SourceKind } from '../source.ts';
import { readDatabaseConnection, type DatabasePorts } from './database-connection.ts';
import type { Checkpoint, Incremental } from './incremental.ts';
import { readDatabase } from './read-database.ts';
import { createRowFilter } from './row-filter.ts';
import {
  databaseFields,
  requireAllowedTable,
  requireTableNames,
  tablesOf,
  type TableRow,
} from './stored-databases.ts';

/** The databases that can be read, with their usual ports. */
const ports: DatabasePorts = { postgresql: 5432, mysql: 3306, mssql: 1433 };

/** Checkpoints belong to the columns that they were made with. */
const cursorIdentity = (incremental: Incremental | undefined): unknown[] =>
  incremental === undefined ? [] : [incremental.column, incremental.key];

/** A stored connection that reads the list of its tables. */
const toTables = (stored: Readonly<Record<string, unknown>>, allowsPrivate: boolean) =>
  readDatabaseConnection({ ...stored, ...tablesOf(stored['databaseType']) }, ports, allowsPrivate);

/** The rows of a table, or of one statement that reads: one segment, which is a file of JSON lines. */
export const createDatabaseSources = ({
  allowsPrivate,
  parserHost,
}: {
  allowsPrivate: boolean;
  parserHost: () => Promise<ParserHost>;
}): SourceKind => ({
  type: 'JDBC',
  open: (connectionInfo, stored) => {
    const { changedSinceJob, ...connection } = readDatabaseConnection(connectionInfo, ports, allowsPrivate);
    const { incremental } = connection;
    requireAllowedTable(connection, stored?.allowed ?? null);
    const { databaseType, host, port, database, username, schema, table, query } = connection;
    const segment = {
      name: `${table ?? 'query'}.ndjson`,
      identity: JSON.stringify([
        databaseType,
        host,
        port,
        database,
        username,
        schema,
        table,
        query,
        ...cursorIdentity(incremental),
      ]),
      place: {},
    };
    return {
      shown: {
        databaseType,
        hosts: [`${host}:${String(port)}`],
        database,
        ...(schema === undefined ? {} : { schema }),
        ...(table === undefined ? {} : { table }),
        ...(incremental === undefined
          ? {}
          : { incremental: { column: incremental.column, key: incremental.key } }),
      },
      changedSinceJob,
      continues: incremental === undefined ? 'not' : 'rows',
      segments: [segment],
      reading: { format: 'ndjson', encoding: 'utf-8' },
      async *list() {
        yield segment;
      },
      async *read(_place, request) {
        const { name, signal, known, columns, requiredColumns } = request;
        const stored = known?.['checkpoint'];
        const since = stored === undefined ? undefined : (JSON.parse(stored) as Checkpoint);
        const task = { ...connection, since, columns, requiredColumns };
        yield* readDatabase(await parserHost(), task, name, signal, createRowFilter(request));
      },
    };
  },
  stored: {
    fields: databaseFields,
    restriction: 'tables',
    computedFields: ['query', 'incremental'],
    describe: (stored, allowed) => {
      requireTableNames(allowed);
      const target = toTables(stored, allowsPrivate);
      const { databaseType, host, port, database } = target;
      return { databaseType, hosts: [`${host}:${String(port)}`], database };
    },
    async *find(stored, allowed, signal) {
      const connection = toTables(stored, allowsPrivate);
      const task = { ...connection, columns: [], requiredColumns: [] };
      for await (const line of readDatabase(await parserHost(), task, 'tables', signal)) {
        const row = JSON.parse(Buffer.from(line).toString()) as TableRow;
        const name = `${row.TABLE_SCHEMA}.${row.TABLE_NAME}`;
        if (allowed === null || allowed.tables?.includes(name) === true) yield name;
      }
    },
  },
});
