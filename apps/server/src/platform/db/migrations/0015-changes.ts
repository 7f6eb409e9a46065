import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The tables about people, their rights and their attributes, which `createAccessCache` caches. */
const watched = [
  'account_identities',
  'accounts',
  'api_key_attributes',
  'api_key_groups',
  'api_keys',
  'application_datasets',
  'application_grants',
  'application_users',
  'applications',
  'attribute_assignments',
  'attributes',
  'dataset_permissions',
  'datasets',
  'group_memberships',
  'groups',
  'identity_providers',
  'memberships',
  'permission_assignments',
  'retired_slugs',
  'sessions',
  'workspaces',
];

/**
 * Every statement that changes one of those tables adds a row in its own transaction, so the sum of all rows changes
 * exactly when the change becomes visible. Rows are only added, so that writers do not wait for each other. Each row
 * counts a random amount: a server that lost its last changes, such as after a failover, does not reach a sum that
 * processes have seen before for other changes.
 */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table metadata_changes (
    id bigint generated always as identity primary key,
    changes bigint not null
  )`.execute(db);
  await sql`create function note_metadata_change() returns trigger language plpgsql as $$
    begin
      insert into metadata_changes (changes) values (1 + floor(random() * 1000000)::bigint);
      return null;
    end $$`.execute(db);
  for (const table of watched) {
    await sql`create trigger note_metadata_change after insert or update or delete or truncate
      on ${sql.table(table)} for each statement execute function note_metadata_change()`.execute(db);
  }
};

export const changes: Migration = { up };
