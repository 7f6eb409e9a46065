import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The earlier job whose checkpoint a job of an incremental load starts from: two such jobs would store the same rows. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table uploads add column continued_job text`.execute(db);
  await sql`create index uploads_continued_job on uploads (continued_job) where continued_job is not null`.execute(
    db,
  );
};

export const continuedJobs: Migration = { up };
