import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Accounts, workspaces, access control, and the catalogue of datasets. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table accounts (
      id text primary key,
      email text not null unique,
      first_name text not null,
      last_name text not null,
      password_hash text,
      verified boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`,
    sql`create table workspaces (
      unique_id text primary key,
      slug text not null unique,
      name text not null,
      created_by text not null,
      create_attributes_on_write boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`,
    sql`create table retired_slugs (slug text primary key)`,
    sql`create table memberships (
      workspace_uid text not null references workspaces on delete cascade,
      account_id text not null references accounts on delete cascade,
      role text not null check (role in ('member', 'admin')),
      disabled boolean not null,
      created_at timestamptz not null,
      primary key (workspace_uid, account_id)
    )`,
    sql`create index memberships_account on memberships (account_id)`,
    sql`create table sessions (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      workspace_uid text references workspaces on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`,
    sql`create index sessions_account on sessions (account_id)`,
    sql`create table invitations (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      account_id text not null references accounts on delete cascade,
      role text not null check (role in ('member', 'admin')),
      token_hash text not null unique,
      created_by text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      accepted_at timestamptz
    )`,
    sql`create table attributes (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      name text not null,
      token text not null,
      description text not null,
      created_at timestamptz not null,
      unique (workspace_uid, token)
    )`,
    sql`create table attribute_assignments (
      id text primary key,
      workspace_uid text not null,
      attribute_id text not null references attributes on delete cascade,
      account_id text not null,
      created_at timestamptz not null,
      unique (attribute_id, account_id),
      foreign key (workspace_uid, account_id) references memberships (workspace_uid, account_id) on delete cascade
    )`,
    sql`create index attribute_assignments_account on attribute_assignments (workspace_uid, account_id)`,
    sql`create table groups (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      name text not null,
      created_by text not null,
      created_at timestamptz not null
    )`,
    sql`create index groups_workspace on groups (workspace_uid, name)`,
    sql`create table group_memberships (
      id text primary key,
      workspace_uid text not null,
      group_id text not null references groups on delete cascade,
      account_id text,
      child_group_id text references groups on delete cascade,
      role text not null check (role in ('member', 'admin')),
      created_at timestamptz not null,
      unique (group_id, account_id),
      unique (group_id, child_group_id),
      check ((account_id is null) <> (child_group_id is null)),
      foreign key (workspace_uid, account_id) references memberships (workspace_uid, account_id) on delete cascade
    )`,
    sql`create index group_memberships_account on group_memberships (workspace_uid, account_id)`,
    sql`create index group_memberships_child on group_memberships (child_group_id)`,
    sql`create table datasets (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      name text not null,
      description text not null,
      auto_create_indexes boolean not null,
      search_any_field boolean not null,
      created_by text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      label_count integer not null default 0,
      path_count integer not null default 0
    )`,
    sql`create index datasets_workspace on datasets (workspace_uid)`,
    sql`create table pending_drops (
      dataset_id text primary key,
      creating boolean not null default false
    )`,
    sql`create table dataset_permissions (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      dataset_id text not null references datasets on delete cascade,
      group_id text not null references groups on delete cascade,
      action text not null check (action in ('read', 'write', 'manage')),
      created_at timestamptz not null,
      unique (dataset_id, group_id, action)
    )`,
    sql`create index dataset_permissions_group on dataset_permissions (group_id)`,
    sql`create table dataset_labels (
      dataset_id text not null references datasets on delete cascade,
      label_id integer not null,
      expression text not null,
      expression_hash text not null,
      primary key (dataset_id, label_id),
      unique (dataset_id, expression_hash)
    )`,
    sql`create table dataset_paths (
      dataset_id text not null references datasets on delete cascade,
      path_id integer not null,
      path text not null,
      path_hash text not null,
      kinds integer not null,
      primary key (dataset_id, path_id),
      unique (dataset_id, path_hash)
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const initial: Migration = { up };
