import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stored connections to sources, and their grants to groups. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table connections (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      name text not null,
      type text not null,
      target text not null,
      sealed_info text not null,
      allowed text,
      minimum_label text,
      tested_at timestamptz,
      created_by text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`,
    sql`create index connections_workspace on connections (workspace_uid)`,
    sql`create table connection_permissions (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      connection_id text not null references connections on delete cascade,
      group_id text not null references groups on delete cascade,
      action text not null check (action in ('use', 'manage')),
      created_at timestamptz not null,
      unique (connection_id, group_id, action)
    )`,
    sql`create index connection_permissions_group on connection_permissions (group_id)`,
    ...['connections', 'connection_permissions'].map(
      (table) => sql`create trigger note_metadata_change after insert or update or delete or truncate
        on ${sql.table(table)} for each statement execute function note_metadata_change()`,
    ),
  ];
  for (const statement of statements) await statement.execute(db);
};

export const connections: Migration = { up };
