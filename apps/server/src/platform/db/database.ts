import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { migrateToLatest } from './migrate.ts';
import { createPgliteClient } from './pglite-client.ts';
import type { Database } from './schema.ts';

/** Where the metadata is kept: a PostgreSQL server, or PGlite in a folder (undefined: in memory). */
export type DatabaseLocation = { url: string } | { dataDir: string | undefined };

export type Db = Kysely<Database>;

const poolSize = 10;

const openPool = (connectionString: string): Pool => {
  const pool = new Pool({ connectionString, max: poolSize });
  // A connection that breaks while idle is replaced at the next use; unheard, the event would end the process.
  pool.on('error', () => undefined);
  return pool;
};

/** Opens the metadata database and brings it to the newest schema. */
export const openDatabase = async (location: DatabaseLocation): Promise<Db> => {
  const db = new Kysely<Database>({
    dialect:
      'url' in location
        ? new PostgresDialect({ pool: openPool(location.url) })
        : new PGliteDialect({ pglite: await createPgliteClient(location.dataDir) }),
  });
  try {
    await migrateToLatest(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
};

/** PostgreSQL's code for a breach of a unique constraint. */
const uniqueViolation = '23505';

/** Whether `error` says that a row with the same unique key is there already. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === uniqueViolation;
