import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The versions of rows that a later job of an incremental load reads again. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table ingest_read_rows (
    attempt text not null,
    hash text not null,
    file_id text not null references ingest_files (id) on delete cascade,
    primary key (attempt, hash)
  )`.execute(db);
  await sql`create index ingest_read_rows_file on ingest_read_rows (file_id)`.execute(db);
};

export const readRows: Migration = { up };
