import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The permissions of people in workspaces, and requests to transfer ownership. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table permission_assignments (
      id text primary key,
      workspace_uid text not null,
      account_id text not null,
      code text not null,
      created_by text not null,
      created_at timestamptz not null,
      unique (workspace_uid, account_id, code),
      foreign key (workspace_uid, account_id) references memberships (workspace_uid, account_id) on delete cascade
    )`,
    sql`create table transfer_requests (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      resource_type text not null,
      resource_id text not null,
      recipient_id text not null,
      account_id text not null,
      status text not null check (status in ('pending', 'accepted', 'declined', 'revoked')),
      created_at timestamptz not null,
      ended_at timestamptz
    )`,
    sql`create unique index transfer_requests_pending on transfer_requests (resource_type, resource_id) where status = 'pending'`,
    sql`create index transfer_requests_workspace on transfer_requests (workspace_uid, created_at)`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const permissions: Migration = { up };
