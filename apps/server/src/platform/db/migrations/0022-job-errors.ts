import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Errors of jobs and segments have the name and status of the error catalogue beside their message. Errors from before
 * this migration have neither.
 */
const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['jobs', 'segments']) {
    const name = sql.table(table);
    await sql`alter table ${name} add column error_name text`.execute(db);
    await sql`alter table ${name} add column error_code integer`.execute(db);
  }
};

export const jobErrors: Migration = { up };
