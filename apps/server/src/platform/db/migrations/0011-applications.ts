import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Applications, their users, and the grants that people gave them through OAuth. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table applications (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      name text not null,
      url text not null,
      redirect_url text not null,
      client_id text not null unique,
      secret_hash text not null,
      visible boolean not null,
      description text not null,
      type text not null check (type in ('mls', 'sls')),
      created_by text not null,
      created_at timestamptz not null
    )`,
    sql`create index applications_workspace on applications (workspace_uid)`,
    sql`create table application_users (
      application_id text not null references applications on delete cascade,
      workspace_uid text not null,
      account_id text not null,
      primary key (application_id, account_id),
      foreign key (workspace_uid, account_id) references memberships (workspace_uid, account_id) on delete cascade
    )`,
    sql`create index application_users_account on application_users (workspace_uid, account_id)`,
    // No reference to datasets: if the row were deleted with its dataset, the application would no longer be restricted.
    sql`create table application_datasets (
      application_id text not null references applications on delete cascade,
      dataset_id text not null,
      action text not null check (action in ('read', 'write', 'manage')),
      primary key (application_id, dataset_id, action)
    )`,
    sql`create table application_grants (
      id text primary key,
      application_id text not null references applications on delete cascade,
      workspace_uid text not null,
      account_id text not null,
      created_at timestamptz not null,
      revoked_at timestamptz,
      foreign key (workspace_uid, account_id) references memberships (workspace_uid, account_id) on delete cascade
    )`,
    sql`create index application_grants_application on application_grants (application_id)`,
    sql`create index application_grants_account on application_grants (workspace_uid, account_id)`,
    sql`create table application_codes (
      code_hash text primary key,
      grant_id text not null references application_grants on delete cascade,
      redirect_url text not null,
      challenge text not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`,
    sql`create index application_codes_grant on application_codes (grant_id)`,
    sql`create table application_refresh_tokens (
      token_hash text primary key,
      grant_id text not null references application_grants on delete cascade,
      expires_at timestamptz not null,
      used_at timestamptz
    )`,
    sql`create index application_refresh_tokens_grant on application_refresh_tokens (grant_id)`,
    sql`alter table sessions add column grant_id text references application_grants on delete cascade`,
    sql`create index sessions_grant on sessions (grant_id) where grant_id is not null`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const applications: Migration = { up };
