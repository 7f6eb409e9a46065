import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The indexes that a job fills, as lists of their fields in JSON: who sees none of them does not know of the job. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table jobs add column about text`.execute(db);
  // Of those that are there it is not known: their starters see them.
  await sql`update jobs set about = '[]' where type = 'reindex'`.execute(db);
};

export const whatJobsAreAbout: Migration = { up };
