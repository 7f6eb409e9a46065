import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Audit events that wait for the record engine, the ends of their chains, and their retention. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    // Without a reference to the workspace, so that its events outlive it.
    sql`create table audit_outbox (
      position bigint generated always as identity primary key,
      id text not null unique,
      workspace_uid text not null,
      event text not null
    )`,
    sql`create table audit_chains (workspace_uid text primary key, sealed text not null)`,
    sql`create table audit_configs (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      dataset_id text unique references datasets on delete cascade,
      keep_forever boolean not null default true,
      age_in_days integer not null default 365
    )`,
    sql`create index audit_configs_workspace on audit_configs (workspace_uid)`,
    sql`insert into audit_configs (id, workspace_uid) select unique_id, unique_id from workspaces`,
    sql`insert into audit_configs (id, workspace_uid, dataset_id) select id, workspace_uid, id from datasets`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const audit: Migration = { up };
