import { createConnection, type Connection, type FieldPacket } from 'mysql2';
import { createOutboundSocket } from '../../../../platform/outbound/index.ts';
import { checkColumns } from './check-columns.ts';
import { describeConnectionError } from './connection-errors.ts';
import { DatabaseError } from './database-error.ts';
import type { DatabaseItem, DatabaseReader, DatabaseTask } from './database-messages.ts';
import { findColumns, hashRow, requireCursor } from './incremental.ts';
import { jsonObject } from './json-values.ts';
import { planMysql, quoted } from './mysql-changes.ts';
import { mysqlJson } from './mysql-values.ts';
import { baseStatement } from './row-statement.ts';

/** Rows that may wait in memory until they are written. */
const waitingRows = 100;

interface MysqlError {
  sqlState?: string;
  errno?: number;
  sqlMessage?: string;
}

/** What people should check, by the error of the server. */
const adviceOf = (state: string, errno: number): string => {
  if (state.startsWith('28') || errno === 1044)
    return 'Check the user name, the password and the rights of the user.';
  if (errno === 1049) return 'Check the name of the database.';
  if (state === '25006') return 'Send a statement that only reads.';
  if (state.startsWith('42')) return 'Check the table or the statement, and that the user may read it.';
  return 'Check the statement, then retry the job.';
};

const describeError = (error: unknown, task: DatabaseTask): DatabaseError => {
  if (error instanceof DatabaseError) return error;
  const { sqlState = '', errno = 0, sqlMessage = '' } = error as MysqlError;
  if (!/^[0-9A-Z]{5}$/.test(sqlState)) return describeConnectionError(error, task, 'MySQL');
  const { host, port, password } = task;
  const said = password !== '' && sqlMessage.includes(password) ? 'an error' : sqlMessage.slice(0, 300);
  return new DatabaseError(
    `MySQL at ${host}:${String(port)} reports SQLSTATE ${sqlState} (${String(errno)}): ${said}. ${adviceOf(sqlState, errno)}`,
  );
};

const settings = [
  "set time_zone = '+00:00'",
  'set session transaction isolation level repeatable read',
  'start transaction with consistent snapshot, read only',
];

const run = (connection: Connection, statement: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.query(statement, (error) => (error === null ? resolve() : reject(error)));
  });

type Row = (Buffer | null)[];

/** Creates the function that makes an item of each row. */
const createToItem = (fields: readonly FieldPacket[], task: DatabaseTask): ((row: Row) => DatabaseItem) => {
  const { incremental } = task;
  // The last column of an incremental read tells which rows are read again.
  const shown = incremental === undefined ? fields : fields.slice(0, -1);
  const found = shown.map(({ name }) => name);
  const names = checkColumns(found, task);
  const columns = shown.map(mysqlJson);
  const toJson = (row: Row): string =>
    jsonObject(
      names,
      columns.map((column, index) => {
        const value = row[index] ?? null;
        return value === null ? 'null' : column(value);
      }),
    );
  if (incremental === undefined) return (row) => ({ row: toJson(row) });
  const { cursor, keys } = findColumns(found, incremental);
  return (row) => {
    const textAt = (at: number): string | null => row[at]?.toString('latin1') ?? null;
    const value = textAt(cursor);
    const key = keys.map(textAt);
    requireCursor(incremental.column, value, key);
    return { row: toJson(row), hash: hashRow(value ?? '', key), isKept: textAt(fields.length - 1) === '1' };
  };
};

async function* readRows(connection: Connection, task: DatabaseTask): AsyncGenerator<DatabaseItem> {
  for (const statement of settings) await run(connection, statement);
  const changes = task.incremental && (await planMysql(connection, task, task.incremental));
  if (changes !== undefined) yield { checkpoint: changes.checkpoint };
  const query = connection.query({
    sql: changes?.statement ?? baseStatement(task, quoted),
    rowsAsArray: true,
    typeCast: (field) => field.buffer(),
  });
  let toItem: ReturnType<typeof createToItem> | undefined;
  let problem: unknown;
  query.on('fields', (fields: FieldPacket[] | undefined) => {
    try {
      toItem = createToItem(fields ?? [], task);
    } catch (error) {
      problem = error;
    }
  });
  const rows = query.stream({ highWaterMark: waitingRows });
  // The library does not always pass the loss of the connection on to the rows that wait.
  connection.on('error', (error: Error) => rows.destroy(error));
  connection.on('end', () => rows.destroy(new Error('closed')));
  for await (const row of rows as AsyncIterable<Row>) {
    if (problem !== undefined) throw problem;
    if (toItem !== undefined) yield toItem(row);
  }
  if (problem !== undefined) throw problem;
}

/** Reads MySQL and MariaDB in one read-only snapshot. The server waits while its rows are not taken. */
export const readMysql: DatabaseReader = async function* (task) {
  const { host, port, database, username, password, isSecure, ca, allowsPrivate } = task;
  const socket = createOutboundSocket(allowsPrivate);
  try {
    const connection = createConnection({
      host,
      port,
      database,
      user: username,
      password,
      stream: () => socket.connect(port, host),
      ...(isSecure && {
        ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(ca === undefined ? {} : { ca }) },
      }),
      charset: 'utf8mb4',
      multipleStatements: false,
      // The server must not be able to ask for files.
      flags: ['-LOCAL_FILES'],
    });
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      connection.connect((error) => (error === null ? resolve() : reject(error)));
    });
    yield* readRows(connection, task);
  } catch (error) {
    throw describeError(error, task);
  } finally {
    socket.destroy();
  }
};
