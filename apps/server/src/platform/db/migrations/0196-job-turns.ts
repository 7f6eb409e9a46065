import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The order in which people's jobs are claimed, and an index that counts the waiting jobs of a person. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table job_turns (
      account_id text primary key references accounts on delete cascade,
      turn bigserial
    )`,
    sql`create index jobs_waiting on jobs (workspace_uid, account_id) where status = 'queued'`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const jobTurns: Migration = { up };
