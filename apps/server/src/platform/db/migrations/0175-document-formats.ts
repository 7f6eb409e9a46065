import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The formats of files that are stored as documents. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table ingest_files add column document_format text`.execute(db);
};

export const documentFormats: Migration = { up };
