import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Jobs, which run after the response to their request, and their segments. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table jobs (
      id text primary key,
      workspace_uid text not null references workspaces on delete cascade,
      dataset_id text not null references datasets on delete cascade,
      account_id text not null,
      type text not null,
      config text not null,
      status text not null check (status in ('queued', 'running', 'completed', 'canceled', 'failed')),
      error text,
      stage integer not null default 0,
      total_stages integer not null,
      progress integer not null default 0,
      record_count integer,
      run integer not null default 0,
      cancel_asked boolean not null default false,
      worker text,
      lease_until timestamptz,
      created_at timestamptz not null,
      started_at timestamptz,
      ended_at timestamptz
    )`,
    sql`create index jobs_dataset on jobs (dataset_id, created_at)`,
    sql`create index jobs_open on jobs (status, created_at) where status in ('queued', 'running')`,
    sql`create table segments (
      id text primary key,
      job_id text not null references jobs on delete cascade,
      config text not null,
      status text not null check (status in ('queued', 'running', 'completed', 'canceled', 'failed')),
      error text,
      stage integer not null default 0,
      processed_by text,
      upload_id text
    )`,
    sql`create index segments_job on segments (job_id)`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const jobs: Migration = { up };
