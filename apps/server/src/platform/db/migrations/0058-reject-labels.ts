import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The labels that were decided for rejected rows. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table ingest_rejects add column label text`.execute(db);
};

export const rejectLabels: Migration = { up };
