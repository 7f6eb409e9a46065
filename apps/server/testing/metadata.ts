import { openDatabase, type Db } from '../src/platform/db/database.ts';
import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** An empty, migrated metadata database, and a function that returns it to the pool for the next test of the process. */
export interface TestDatabase {
  db: Db;
  giveBack(): Promise<void>;
}

/** The metadata engine of this run. The test command runs the server's tests once on each engine. */
export const metadataEngine = (): 'pglite' | 'postgres' =>
  process.env.REDOUBT_TEST_DB === 'postgres' ? 'postgres' : 'pglite';

/** Databases are kept until the process ends: creating one takes a second or two, emptying one a fraction of that. */
const idle: Db[] = [];

/** The tables are the same in all databases of the process, and listing them takes longer than emptying them. */
let tables: readonly string[] | undefined;

/** All foreign keys cascade, so the order of tables does not matter. */
const empty = async (db: Db): Promise<void> => {
  tables ??= (await db.introspection.getTables()).map(({ name }) => name);
  for (const name of tables) await db.deleteFrom(name as 'accounts').execute();
};

/**
 * Returns an empty database on the metadata engine of this run, created anew only if this process has none that is
 * idle.
 */
export const acquireTestDatabase = async (): Promise<TestDatabase> => {
  const db = idle.pop() ?? (await (metadataEngine() === 'postgres' ? createOnPostgres() : createOnPglite()));
  return {
    db,
    giveBack: async () => {
      await empty(db);
      idle.push(db);
    },
  };
};

const fixture = join(import.meta.dirname, '../../..');
const migrations = join(fixture, 'apps/server/src/platform/db/migrations');

/** A name for the schema, from a hash of the migrations, so that it changes with them. */
const schemaName = (): string => {
  const hash = createHash('sha256');
  for (const file of readdirSync(migrations).toSorted()) hash.update(readFileSync(join(migrations, file)));
  return hash.digest('hex').slice(0, 16);
};

/** A migrated PGlite folder to copy, because copying takes a fraction of the time of creating one. */
const templateFolder = async (): Promise<string> => {
  const cache = join(fixture, 'node_modules/.cache/redoubt');
  const template = join(cache, `pglite-${schemaName()}`);
  if (existsSync(template)) return template;
  mkdirSync(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'draft-'));
  const db = await openDatabase({ dataDir: draft });
  await db.destroy();
  // Another test process may have been faster. Either template is fine.
  await rename(draft, template).catch(() => rm(draft, { recursive: true, force: true }));
  return template;
};

const createOnPglite = async (): Promise<Db> => {
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-metadata-'));
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  await cp(await templateFolder(), folder, { recursive: true });
  return openDatabase({ dataDir: folder });
};

/** Puts an empty, migrated metadata database into the data folder of a server, so that its first start is fast. */
export const migrateDataFolder = async (dataDir: string): Promise<string> => {
  await cp(await templateFolder(), join(dataDir, 'metadata'), { recursive: true });
  return dataDir;
};

/** The address of an empty database. The database server and all its databases are deleted at the end of the run. */
export const createPostgresDatabase = async (): Promise<string> => {
  const server = process.env.REDOUBT_TEST_POSTGRES_URL;
  if (server === undefined)
    throw new Error('REDOUBT_TEST_POSTGRES_URL names no PostgreSQL server to test on');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

const createOnPostgres = async (): Promise<Db> => openDatabase({ url: await createPostgresDatabase() });
