import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The indexes that a job fills, as lists of their fields in JSON: a person who can see none of them does not see the
 * job.
 */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table jobs add column about text`.execute(db);
  // Unknown for existing jobs, which only the people who started them see.
  await sql`update jobs set about = '[]' where type = 'reindex'`.execute(db);
};

export const whatJobsAreAbout: Migration = { up };
