import { createConnection, type Connection, type FieldPacket } from 'mysql2';
import { createOutboundSocket } from '../../../../platform/outbound/index.ts';
import { describeConnectionError, withoutPassword } from './connection-errors.ts';
import { ReaderError } from '../reader-error.ts';
import type { DatabaseItem, DatabaseReader, DatabaseTask } from './database-messages.ts';
import { planMysql, quoted } from './mysql-changes.ts';
import { selectFloats } from './mysql-floats.ts';
import { mysqlJson } from './mysql-values.ts';
import { createToItem } from './row-items.ts';
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
  return 'Check the statement, then try again.';
};

/** The library replaces the code of an error of TLS, but not its message. */
const withTlsCode = (error: unknown): unknown => {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code !== 'HANDSHAKE_SSL_ERROR') return error;
  return {
    code: message.includes('altnames') ? 'ERR_TLS_CERT_ALTNAME_INVALID' : 'ERR_TLS_CERTIFICATE',
  };
};

const describeError = (error: unknown, task: DatabaseTask): ReaderError => {
  if (error instanceof ReaderError) return error;
  const { sqlState = '', errno = 0, sqlMessage = '' } = error as MysqlError;
  if (!/^[0-9A-Z]{5}$/.test(sqlState)) return describeConnectionError(withTlsCode(error), task, 'MySQL');
  return new ReaderError(
    `MySQL at ${task.host}:${String(task.port)} reports SQLSTATE ${sqlState} (${String(errno)}): ${withoutPassword(sqlMessage, task)}. ${adviceOf(sqlState, errno)}`,
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
const toItemOf = (fields: readonly FieldPacket[], floats: ReadonlySet<string>, task: DatabaseTask) =>
  createToItem<Buffer>(
    fields.map((field) => ({ name: field.name, toJson: mysqlJson(field, floats.has(field.name)) })),
    task,
    (bytes) => bytes.toString('latin1'),
  );

async function* readRows(connection: Connection, task: DatabaseTask): AsyncGenerator<DatabaseItem> {
  for (const setting of settings) await run(connection, setting);
  const changes = task.incremental && (await planMysql(connection, task, task.incremental));
  if (changes !== undefined) yield { checkpoint: changes.checkpoint };
  const { statement, floats } = await selectFloats(
    connection,
    changes?.statement ?? baseStatement(task, quoted),
  );
  const query = connection.query({
    sql: statement,
    rowsAsArray: true,
    typeCast: (field) => field.buffer(),
  });
  let toItem: ReturnType<typeof toItemOf> | undefined;
  let problem: unknown;
  query.on('fields', (fields: FieldPacket[] | undefined) => {
    try {
      toItem = toItemOf(fields ?? [], floats, task);
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
