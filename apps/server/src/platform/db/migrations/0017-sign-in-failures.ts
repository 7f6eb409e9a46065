import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Failed sign-ins, and an index for expired grants. Times are milliseconds since 1970, because SQL calculates with
 * them.
 */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table sign_in_failures (
    kind text not null,
    key text not null,
    failures double precision not null,
    last_ms double precision not null,
    since_ms double precision not null,
    over_ms double precision not null,
    primary key (kind, key)
  )`.execute(db);
  await sql`create index sign_in_failures_over on sign_in_failures (over_ms)`.execute(db);
  await sql`create index jobs_grant on jobs (grant_id) where grant_id is not null`.execute(db);
};

export const signInFailures: Migration = { up };
