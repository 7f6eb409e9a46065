import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Downloads that are prepared and not fetched yet. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table exports (
    token_hash text primary key,
    session_id text not null references sessions (id) on delete cascade,
    workspace_uid text not null references workspaces (unique_id) on delete cascade,
    request text not null,
    expires_at timestamptz not null
  )`.execute(db);
  await sql`create index exports_session on exports (session_id)`.execute(db);
};

export const exportsOfSessions: Migration = { up };
