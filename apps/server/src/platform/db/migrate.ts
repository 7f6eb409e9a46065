import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import type { Database } from './schema.ts';

/**
 * Migrates the database to the newest schema, under a lock, so that processes that start at the same time do not
 * collide.
 */
export const migrateToLatest = async (db: Kysely<Database>): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('Could not migrate the metadata database.', { cause: error });
};
