import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tells processes that share a database when the paths of a dataset have changed. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table datasets add column path_version integer not null default 0`.execute(db);
};

export const pathVersion: Migration = { up };
