import { Client, DatabaseError as PostgresError } from 'pg';
import Cursor from 'pg-cursor';
import { createOutboundSocket } from '../../../../platform/outbound/index.ts';
import { describeConnectionError, withoutPassword } from './connection-errors.ts';
import { ReaderError } from '../reader-error.ts';
import type { DatabaseItem, DatabaseReader, DatabaseTask } from './database-messages.ts';
import { portionSize } from './portion-size.ts';
import {
  markPostgres,
  planPostgres,
  quoted,
  waitForTransactions,
  type ChangeRead,
} from './postgres-changes.ts';
import { postgresJson, type ElementTypes } from './postgres-values.ts';
import { createToItem } from './row-items.ts';
import { baseStatement } from './row-statement.ts';

/** What people should check, by the class of the error. */
const adviceOf = (code: string): string => {
  if (code.startsWith('28')) return 'Check the user name and the password.';
  if (code.startsWith('3D')) return 'Check the name of the database.';
  if (code === '25006') return 'Send a statement that only reads.';
  if (code === '42501') return 'Let the user read the table, or name another one.';
  if (code.startsWith('42') || code.startsWith('3F')) return 'Check the table or the statement.';
  if (code.startsWith('53') || code.startsWith('57')) return 'The server is busy or stops: try again later.';
  return 'Check the statement, then try again.';
};

const describeError = (error: unknown, task: DatabaseTask): ReaderError => {
  if (error instanceof ReaderError) return error;
  if (!(error instanceof PostgresError)) return describeConnectionError(error, task, 'PostgreSQL');
  const code = error.code ?? 'unknown';
  return new ReaderError(
    `PostgreSQL at ${task.host}:${String(task.port)} reports SQLSTATE ${code}: ${withoutPassword(error.message, task)}. ${adviceOf(code)}`,
  );
};

/** Tables of the metadata of this server, which hold the secrets of everybody. */
const ownTables = ['ingest_blocks', 'object_drops', 'audit_chains', 'label_tokens', 'kysely_migration'];

const refuseOwnDatabase = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ count: string }>(
    `select count(distinct relname)::text as count from pg_catalog.pg_class where relkind = 'r' and relname = any($1)`,
    [ownTables],
  );
  if (Number(rows[0]?.count) >= 3) {
    throw new ReaderError(
      'The database holds the metadata of a Redoubt server, which no ingest may read. Name another database.',
    );
  }
};

/** The element types of arrays; a domain counts as the type that it is based on. */
const readElementTypes = async (client: Client): Promise<ElementTypes> => {
  const { rows } = await client.query<{ oid: string; element: string }>(
    `select list.oid::text as oid, (case element.typtype when 'd' then element.typbasetype else element.oid end)::text as element
     from pg_catalog.pg_type list join pg_catalog.pg_type element on element.oid = list.typelem
     where list.typcategory = 'A' and element.typdelim = ',' and element.typtype in ('b', 'd', 'e', 'r', 'm')`,
  );
  return new Map(rows.map(({ oid, element }) => [Number(oid), Number(element)]));
};

/** Texts that mean the same whatever the server is set to. */
const settings = [
  `set datestyle = 'ISO, YMD'`,
  `set timezone = 'UTC'`,
  `set intervalstyle = 'iso_8601'`,
  `set bytea_output = 'hex'`,
  `set extra_float_digits = 3`,
].join('; ');

const beginning = 'begin transaction isolation level repeatable read read only';

/** Begins the transaction that reads the rows. @returns what to read; undefined for all rows */
const begin = async (client: Client, task: DatabaseTask): Promise<ChangeRead | undefined> => {
  const { incremental } = task;
  await client.query(settings);
  await client.query(beginning);
  await refuseOwnDatabase(client);
  if (incremental === undefined) return undefined;
  const marked = await markPostgres(client, task, incremental);
  await client.query('commit');
  await waitForTransactions(client, marked.marks);
  await client.query(beginning);
  return planPostgres(client, task, incremental, marked);
};

type Row = (string | null)[];

async function* readRows(client: Client, task: DatabaseTask): AsyncGenerator<DatabaseItem> {
  const changes = await begin(client, task);
  if (changes !== undefined) yield { checkpoint: changes.checkpoint };
  const elements = await readElementTypes(client);
  const cursor = client.query(
    new Cursor<Row>(changes?.statement ?? baseStatement(task, quoted), [], {
      rowMode: 'array',
      types: { getTypeParser: () => (text: string) => text },
    }),
  );
  let toItem: ReturnType<typeof createToItem<string>> | undefined;
  let portion = portionSize.first;
  for (;;) {
    const { rows, fields } = await new Promise<{ rows: Row[]; fields: Field[] }>((done, fail) => {
      cursor.read(portion, (error: Error | undefined, found, result) =>
        error ? fail(error) : done({ rows: found, fields: result?.fields ?? [] }),
      );
    });
    toItem ??= createToItem<string>(
      fields.map(({ name, dataTypeID }) => ({ name, toJson: postgresJson(dataTypeID, elements) })),
      task,
      (text) => text,
    );
    if (rows.length === 0) return;
    let longest = 0;
    for (const row of rows) {
      const item = toItem(row);
      longest = Math.max(longest, item.row.length);
      yield item;
    }
    portion = portionSize.next(longest);
  }
}

interface Field {
  name: string;
  dataTypeID: number;
}

/** Reads PostgreSQL by a cursor, in one read-only snapshot. */
export const readPostgres: DatabaseReader = async function* (task) {
  const { host, port, database, username, password, isSecure, ca, allowsPrivate } = task;
  const socket = createOutboundSocket(allowsPrivate);
  try {
    const client = new Client({
      host,
      port,
      database,
      user: username,
      // A function, because the library looks for the password of an empty text in a file.
      password: () => password,
      stream: () => socket,
      ssl: isSecure && { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
      application_name: 'redoubt',
    });
    // Whatever waits for the connection fails as well; without a listener, the error would end the process.
    client.on('error', () => undefined);
    await client.connect();
    yield* readRows(client, task);
  } catch (error) {
    throw describeError(error, task);
  } finally {
    socket.destroy();
  }
};
