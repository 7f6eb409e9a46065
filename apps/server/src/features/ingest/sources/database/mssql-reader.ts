import { on, once } from 'node:events';
import { Connection, Request } from 'tedious';
import { createOutboundSocket } from '../../../../platform/outbound/index.ts';
import { describeConnectionError, withoutPassword } from './connection-errors.ts';
import { ReaderError } from '../reader-error.ts';
import type { DatabaseItem, DatabaseReader, DatabaseTask } from './database-messages.ts';
import { prepareMssqlChanges } from './mssql-changes.ts';
import { mssqlConversion, quoted, type MssqlValue } from './mssql-values.ts';
import { createToItem } from './row-items.ts';
import { tableName } from './row-statement.ts';

/** Rows that may wait in memory until they are written. Each may have 16 MB. */
const waitingRows = 4;

const literal = (value: string): string => `N'${value.replaceAll("'", "''")}'`;

/** What the server says in an error. */
interface ReportedError {
  number: number;
  message: string;
}

/** The database does not allow a snapshot, or not yet. */
const snapshotErrors = new Set([3952, 3956, 3957]);
const passwordErrors = new Set([18452, 18456, 18470, 18486, 18487, 18488]);
const permissionErrors = new Set([229, 230]);

/** What people should check, by the number of the error. */
const adviceOf = (number: number, { database }: DatabaseTask): string => {
  if (passwordErrors.has(number)) return 'Check the user name and the password.';
  if (number === 4060) return 'Check the name of the database.';
  if (snapshotErrors.has(number))
    return `Rows are read in one snapshot: run ALTER DATABASE ${quoted(database)} SET ALLOW_SNAPSHOT_ISOLATION ON, then try again.`;
  if (permissionErrors.has(number)) return 'Let the user read the table, or name another one.';
  return 'Check the table, then try again.';
};

const describeError = (
  error: unknown,
  reported: ReportedError | undefined,
  task: DatabaseTask,
): ReaderError => {
  const root = rootOf(error);
  if (root instanceof ReaderError) return root;
  if (reported === undefined) return describeConnectionError(root, task, 'SQL Server');
  const { number, message } = reported;
  const shown = withoutPassword(message, task).replace(/\.$/, '');
  return new ReaderError(
    `SQL Server at ${task.host}:${String(task.port)} reports error ${String(number)}: ${shown}. ${adviceOf(number, task)}`,
  );
};

/** The error that the library wraps, which has the code. */
const rootOf = (error: unknown): unknown => {
  let root = error;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  return root;
};

type Row = (MssqlValue | null)[];

/** Runs statements. The server waits while their rows are not taken. */
async function* run(connection: Connection, sql: string): AsyncGenerator<Row> {
  let problem: Error | null | undefined;
  const request = new Request(sql, (error) => (problem = error));
  const rows = on(request, 'row', { close: ['requestCompleted'], highWaterMark: waitingRows });
  connection.execSqlBatch(request);
  for await (const [columns] of rows as AsyncIterable<[{ value: MssqlValue | null }[]]>)
    yield columns.map(({ value }) => value);
  if (problem) throw problem;
}

/** Lists the columns of a table or view, also one of the system, with the types that theirs are made of. */
const columnsStatement = (table: string): string =>
  `SELECT name, TYPE_NAME(CASE system_type_id WHEN 240 THEN user_type_id ELSE system_type_id END) FROM sys.all_columns WHERE object_id = OBJECT_ID(${literal(table)}) ORDER BY column_id`;

/** The text of a value that tells rows apart. */
const textOf = (value: MssqlValue): string =>
  Buffer.isBuffer(value) ? value.toString('hex') : String(value);

async function* readRows(connection: Connection, task: DatabaseTask): AsyncGenerator<DatabaseItem> {
  const runAll = (sql: string): Promise<Row[]> => Array.fromAsync(run(connection, sql));
  const { incremental } = task;
  const table = tableName(task, quoted);
  const columns = (await runAll(columnsStatement(table))).map(([columnName, typeName]) => {
    const [name, type] = [String(columnName), String(typeName)];
    const { select, json } = mssqlConversion(type);
    return { name, type, selected: select(quoted(name)), toJson: json };
  });
  if (columns.length === 0) {
    throw new ReaderError(
      `SQL Server at ${task.host}:${String(task.port)} shows no table or view ${table} to this user. Check schema and table, and that the user may read it.`,
    );
  }
  const planChanges = incremental && (await prepareMssqlChanges(runAll, task, incremental, table, columns));
  await runAll('SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION');
  const changes = await planChanges?.();
  if (changes !== undefined) yield { checkpoint: changes.checkpoint };
  const keptColumn = {
    name: 'redoubt_kept',
    selected: `${changes?.kept ?? ''} AS redoubt_kept`,
    toJson: String,
  };
  const read = changes === undefined ? columns : [...columns, keptColumn];
  const toItem = createToItem<MssqlValue>(read, task, textOf);
  const selected = read.map((column) => column.selected).join(', ');
  for await (const row of run(connection, `SELECT ${selected} FROM ${table}${changes?.where ?? ''}`))
    yield toItem(row);
}

/**
 * Reads a table or view of Microsoft SQL Server in one snapshot. It has no read-only transactions, so it gets no
 * statements of people. The transaction is never committed.
 */
export const readMssql: DatabaseReader = async function* (task) {
  const { host, port, database, username, password, isSecure, ca, allowsPrivate } = task;
  const socket = createOutboundSocket(allowsPrivate);
  let reported: ReportedError | undefined;
  let isConnected = false;
  try {
    const connection = new Connection({
      server: host,
      authentication: { type: 'default', options: { userName: username, password } },
      options: {
        port,
        database,
        appName: 'redoubt',
        readOnlyIntent: true,
        encrypt: isSecure,
        trustServerCertificate: false,
        ...(ca === undefined ? {} : { cryptoCredentialsDetails: { ca } }),
        requestTimeout: 0,
        maxRetriesOnTransientErrors: 0,
        connector: async () => {
          // A server that sends its clients on to another one makes the library ask again.
          if (isConnected)
            throw new ReaderError('The server sends clients on to another host. Send that one.');
          isConnected = true;
          socket.connect(port, host);
          await once(socket, 'connect');
          return socket;
        },
      },
    });
    // Whatever waits for the connection fails as well; without a listener, the error would end the process.
    connection.on('error', () => undefined);
    connection.on('errorMessage', ({ number, message }) => (reported ??= { number, message }));
    await new Promise<void>((resolve, reject) => {
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    yield* readRows(connection, task);
  } catch (error) {
    throw describeError(error, reported, task);
  } finally {
    socket.destroy();
  }
};
