import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The stored connection through which files were read: the rejected rows of such files need an attribute. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  // Not a foreign key: the rejected rows stay restricted when the connection is deleted.
  await sql`alter table uploads add column connection_id text`.execute(db);
};

export const uploadConnections: Migration = { up };
