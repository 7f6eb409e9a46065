import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** API keys with their scopes, and the credentials of sessions and jobs. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    // A key is deleted with its owner's membership, so that a new membership does not revive it.
    sql`create table api_keys (
      id text primary key,
      workspace_uid text not null,
      account_id text not null,
      key_id text not null,
      key_hash text not null,
      name text not null,
      description text not null,
      revoked boolean not null,
      expires_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      foreign key (workspace_uid, account_id) references memberships (workspace_uid, account_id) on delete cascade
    )`,
    // Not unique: rejecting a new key because of an existing one would disclose that one.
    sql`create index api_keys_key_id on api_keys (key_id)`,
    sql`create index api_keys_owner on api_keys (workspace_uid, account_id)`,
    sql`create table api_key_groups (
      api_key_id text not null references api_keys on delete cascade,
      group_id text not null references groups on delete cascade,
      primary key (api_key_id, group_id)
    )`,
    sql`create index api_key_groups_group on api_key_groups (group_id)`,
    sql`create table api_key_attributes (
      api_key_id text not null references api_keys on delete cascade,
      attribute_id text not null references attributes on delete cascade,
      primary key (api_key_id, attribute_id)
    )`,
    sql`create index api_key_attributes_attribute on api_key_attributes (attribute_id)`,
    sql`alter table sessions add column credential text`,
    sql`alter table jobs add column credential text`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const apiKeys: Migration = { up };
