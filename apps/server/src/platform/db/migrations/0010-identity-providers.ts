import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Identity providers of workspaces, the accounts that are linked to providers, and codes of sign-ins in browsers. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table identity_providers (
    id text primary key,
    workspace_uid text not null references workspaces on delete cascade,
    provider_type text not null,
    config text not null,
    secret text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (workspace_uid, provider_type)
  )`,
    sql`create table account_identities (
    id text primary key,
    account_id text not null references accounts on delete cascade,
    strategy text not null,
    provider_id text references identity_providers on delete cascade,
    issuer text not null,
    subject text not null,
    created_at timestamptz not null
  )`,
    // A subject of a provider belongs to one account, and an account has one subject per provider.
    sql`create unique index account_identities_subject
    on account_identities (strategy, coalesce(provider_id, ''), md5(issuer), subject)`,
    sql`create unique index account_identities_account
    on account_identities (account_id, strategy, coalesce(provider_id, ''), md5(issuer))`,
    sql`create index account_identities_provider on account_identities (provider_id)`,
    sql`create table sign_in_codes (
    code_hash text primary key,
    proof text not null,
    expires_at timestamptz not null
  )`,
    // A session that a workspace's provider opened is limited to that workspace, and ends with the provider or the link.
    sql`alter table sessions add column identity_id text references account_identities on delete cascade`,
    sql`create index sessions_identity on sessions (identity_id)`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const identityProviders: Migration = { up };
