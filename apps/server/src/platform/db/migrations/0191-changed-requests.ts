import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When the request of a schedule was last changed: a job of the former request is not retried. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table schedules add column request_changed_at timestamptz`.execute(db);
};

export const changedRequests: Migration = { up };
