import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tables that say who somebody is, what they may do and what they hold; see `createAccessCache`. */
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
 * Each statement that changes one of those tables adds a row in its own transaction, so the sum of all rows is another
 * one as soon as the change can be seen, and not before. Rows are only added, so that writers do not wait for each other.
 * By how much a row counts is chance: a server that lost its last changes, as one may that takes over for another, comes
 * to no sum that processes have seen before, and that stood for other changes.
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
