import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Running queries with a name, so that one process can cancel those of another. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table running_queries (
    id text primary key,
    process text not null,
    name_hash text not null,
    is_cancelled boolean not null default false,
    seen_at timestamptz not null default now()
  )`.execute(db);
  await sql`create index running_queries_name on running_queries (name_hash)`.execute(db);
};

export const runningQueries: Migration = { up };
