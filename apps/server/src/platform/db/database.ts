import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import { Client, Pool, type ClientConfig, type DatabaseError } from 'pg';
import { createChangePoller } from './change-poller.ts';
import { migrateToLatest } from './migrate.ts';
import { createPgliteClient } from './pglite-client.ts';
import type { Database } from './schema.ts';

/** Where the metadata is kept: a PostgreSQL server, or PGlite in a folder (undefined: in memory). */
export type DatabaseLocation = { url: string } | { dataDir: string | undefined };

/** The metadata database, or a transaction on it. */
export type Db = Kysely<Database>;

const poolSize = 10;
/** Timeout of connecting: a reachable server responds earlier, and one behind a firewall may never respond. */
const connectMs = 10_000;

/** Prefix of PostgreSQL's error codes for connections that an administrator, a crash or a timeout has ended. */
const endedByServer = '57P0';

/** Limits the time to connect. The pool's own setting would also limit how long statements wait for a free connection. */
class TimeoutClient extends Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectMs });
    // When a connection breaks, its statements fail and the pool drops it. It also emits an error event, which the pool
    // listens to only while the connection is idle; without a listener the event would end the process.
    this.on('error', () => undefined);
    // When the server ends the connection, the statement fails before the end is noticed: in between, the pool would
    // hand out the connection again.
    this.connection.on('errorMessage', ({ code }: DatabaseError) => {
      if (code?.startsWith(endedByServer) === true) void this.end();
    });
  }
}

const openPool = (connectionString: string): Pool => {
  const pool = new Pool({ connectionString, max: poolSize, allowExitOnIdle: true, Client: TimeoutClient });
  // The pool emits the errors of idle connections again.
  pool.on('error', () => undefined);
  return pool;
};

/** The change counters of databases that only this process can change. */
const changeCounts = new WeakMap<Db, (withCatalog: boolean) => number>();

/** Whether only this process can change the database. */
export const isSingleProcess = (db: Db): boolean => changeCounts.has(db);

const folders = new WeakMap<Db, string>();

/** The folder of an embedded database; undefined for a server, for a database in memory, and in a transaction. */
export const databaseFolder = (db: Db): string | undefined => folders.get(db);

const changePollers = new WeakMap<Db, () => Promise<string>>();

/**
 * Returns a function whose value differs after every change of people, rights and attributes by any process; undefined
 * in a transaction. Changes of labels and paths of datasets count only with `withCatalog`, except on a PostgreSQL
 * server, where they always count.
 */
export const cacheVersionOf = (db: Db): ((withCatalog: boolean) => number | Promise<string>) | undefined =>
  changeCounts.get(db) ?? changePollers.get(db);

const connect = async (location: DatabaseLocation): Promise<Db> => {
  if ('url' in location) {
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: openPool(location.url) }) });
    changePollers.set(db, createChangePoller(db));
    return db;
  }
  const pglite = await createPgliteClient(location.dataDir);
  const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });
  changeCounts.set(db, (withCatalog) => pglite.changes(withCatalog));
  if (location.dataDir !== undefined) folders.set(db, location.dataDir);
  return db;
};

/** Opens the metadata database and migrates it to the newest schema. */
export const openDatabase = async (location: DatabaseLocation): Promise<Db> => {
  const db = await connect(location);
  try {
    await migrateToLatest(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
};

/** Runs `work` in the current transaction, or in a new one if there is none. */
export const inTransaction = <Result>(db: Db, work: (trx: Db) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/** PostgreSQL's error code for violating a unique constraint. */
const uniqueViolation = '23505';

/** Whether `error` means that a row with the same unique key exists already. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === uniqueViolation;
