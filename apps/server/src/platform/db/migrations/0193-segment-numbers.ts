import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The order of the segments of a job, so that the last ones of a job with very many can be listed. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table segments add column number double precision not null default 0`.execute(db);
  await sql`update segments set number = ingest_files.number from ingest_files
    where ingest_files.segment_id = segments.id`.execute(db);
};

export const segmentNumbers: Migration = { up };
