import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import { Client, Pool, type ClientConfig, type DatabaseError } from 'pg';
import { createChangePoller } from './change-poller.ts';
import { migrateToLatest } from './migrate.ts';
import { createPgliteClient } from './pglite-client.ts';
import type { Database } from './schema.ts';

/** Where the metadata is kept: a PostgreSQL server, or PGlite in a folder (undefined: in memory). */
export type DatabaseLocation = { url: string } | { dataDir: string | undefined };

export type Db = Kysely<Database>;

const poolSize = 10;
/** A server that answers at all does so sooner; one behind a firewall may never do. */
const connectMs = 10_000;

/** How PostgreSQL's codes begin when an administrator, a crash or a time limit ends a connection. */
const endedByServer = '57P0';

/** The same setting of the pool would also bound how long a statement waits for its turn. */
class ImpatientClient extends Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectMs });
    // A connection that breaks fails the statements on it, and the pool drops it. It tells of it by an event as well,
    // which the pool hears while nobody uses the connection; unheard, the event would end the process.
    this.on('error', () => undefined);
    // Where the server says that it ends the connection, the statement fails first, and the end is seen a moment later:
    // the pool would hand the connection to somebody else in between.
    this.connection.on('errorMessage', ({ code }: DatabaseError) => {
      if (code?.startsWith(endedByServer) === true) void this.end();
    });
  }
}

const openPool = (connectionString: string): Pool => {
  const pool = new Pool({ connectionString, max: poolSize, allowExitOnIdle: true, Client: ImpatientClient });
  // The pool tells of idle ones anew.
  pool.on('error', () => undefined);
  return pool;
};

/** For databases that this process alone can change: what counts their changes. */
const changeCounts = new WeakMap<Db, (withCatalog: boolean) => number>();

/** Whether this process alone can change the database. */
export const isSingleProcess = (db: Db): boolean => changeCounts.has(db);

const folders = new WeakMap<Db, string>();

/** The folder of an embedded database; undefined for a server, in memory and in a transaction. */
export const databaseFolder = (db: Db): string | undefined => folders.get(db);

const changeLooks = new WeakMap<Db, () => Promise<string>>();

/**
 * Gives what is another value after any change to what people are, may and hold, whoever made it; undefined in a
 * transaction. Of labels and paths of datasets only where these are asked for as well; a server counts them always.
 */
export const cacheVersionOf = (db: Db): ((withCatalog: boolean) => number | Promise<string>) | undefined =>
  changeCounts.get(db) ?? changeLooks.get(db);

const connect = async (location: DatabaseLocation): Promise<Db> => {
  if ('url' in location) {
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: openPool(location.url) }) });
    changeLooks.set(db, createChangePoller(db));
    return db;
  }
  const pglite = await createPgliteClient(location.dataDir);
  const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });
  changeCounts.set(db, (withCatalog) => pglite.changes(withCatalog));
  if (location.dataDir !== undefined) folders.set(db, location.dataDir);
  return db;
};

/** Opens the metadata database and brings it to the newest schema. */
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

/** Runs work in a transaction: in the one that is there, or in one of its own. */
export const inTransaction = <Result>(db: Db, work: (trx: Db) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/** PostgreSQL's code for a breach of a unique constraint. */
const uniqueViolation = '23505';

/** Whether `error` says that a row with the same unique key is there already. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === uniqueViolation;
