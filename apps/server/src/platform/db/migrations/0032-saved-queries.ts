import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Queries that people keep under a name. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table saved_queries (
    id text primary key,
    workspace_uid text not null references workspaces (unique_id) on delete cascade,
    account_id text not null references accounts (id) on delete cascade,
    name text not null,
    text text not null,
    version integer not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`.execute(db);
  await sql`create index saved_queries_account on saved_queries (account_id, workspace_uid)`.execute(db);
};

export const savedQueries: Migration = { up };
