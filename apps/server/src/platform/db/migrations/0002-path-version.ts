import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A version number by which processes that share a database notice changed paths of a dataset. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table datasets add column path_version integer not null default 0`.execute(db);
};

export const pathVersion: Migration = { up };
