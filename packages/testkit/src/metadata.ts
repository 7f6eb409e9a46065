import { openDatabase, type Db } from '@redoubt/server';
import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** A fresh, migrated metadata database, and what removes it again. */
export interface TestDatabase {
  db: Db;
  remove(): Promise<void>;
}

/** Which engine the run is for: set by the test command, which runs the server's tests once on each. */
export const metadataEngine = (): 'pglite' | 'postgres' =>
  process.env.REDOUBT_TEST_DB === 'postgres' ? 'postgres' : 'pglite';

export const createTestDatabase = (): Promise<TestDatabase> =>
  metadataEngine() === 'postgres' ? createOnPostgres() : createOnPglite();

const house = join(import.meta.dirname, '../../..');
const migrations = join(house, 'apps/server/src/platform/db/migrations');

/** Names the schema that the migrations make: another name after any change to them. */
const schemaName = (): string => {
  const hash = createHash('sha256');
  for (const file of readdirSync(migrations).toSorted()) hash.update(readFileSync(join(migrations, file)));
  return hash.digest('hex').slice(0, 16);
};

/** A migrated PGlite folder to copy: making one takes seconds, copying it a fraction. */
const templateFolder = async (): Promise<string> => {
  const cache = join(house, 'node_modules/.cache/redoubt');
  const template = join(cache, `pglite-${schemaName()}`);
  if (existsSync(template)) return template;
  mkdirSync(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'draft-'));
  const db = await openDatabase({ dataDir: draft });
  await db.destroy();
  // Another test process may have been faster; either template will do.
  await rename(draft, template).catch(() => rm(draft, { recursive: true, force: true }));
  return template;
};

const createOnPglite = async (): Promise<TestDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'redoubt-metadata-'));
  await cp(await templateFolder(), folder, { recursive: true });
  const db = await openDatabase({ dataDir: folder });
  return {
    db,
    remove: async () => {
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const createOnPostgres = async (): Promise<TestDatabase> => {
  const server = process.env.REDOUBT_TEST_POSTGRES_URL;
  if (server === undefined)
    throw new Error('REDOUBT_TEST_POSTGRES_URL names no PostgreSQL server to test on');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const administer = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await administer(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const db = await openDatabase({ url: url.href });
  return {
    db,
    remove: async () => {
      await db.destroy();
      await administer(`drop database ${name} with (force)`);
    },
  };
};
