import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The SQL that people ran in the console. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table query_runs (
    id text primary key,
    workspace_uid text not null references workspaces (unique_id) on delete cascade,
    account_id text not null references accounts (id) on delete cascade,
    text text not null,
    is_cut boolean not null,
    status text not null,
    row_count bigint,
    milliseconds bigint not null,
    started_at timestamptz not null
  )`.execute(db);
  await sql`create index query_runs_account on query_runs (account_id, workspace_uid, started_at)`.execute(
    db,
  );
};

export const queryHistory: Migration = { up };
