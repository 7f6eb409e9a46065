import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sources whose segments the job lists. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table uploads add column sealed_source text`.execute(db);
};

export const sourceSegments: Migration = { up };
