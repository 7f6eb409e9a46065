import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Uploads that their owners removed, and rejected rows that were replayed. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`alter table uploads add column removed_at timestamptz`,
    sql`alter table ingest_files add column replayed double precision not null default 0`,
    sql`alter table ingest_rejects add column replay_job_id text`,
    // Receipts count the records that exist now.
    sql`drop table ingest_counts`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const uploadFiles: Migration = { up };
