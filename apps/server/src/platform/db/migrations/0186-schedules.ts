import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Ingest jobs that start at set times. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table schedules (
    id text primary key,
    workspace_uid text not null references workspaces (unique_id) on delete cascade,
    dataset_id text not null references datasets (id) on delete cascade,
    account_id text not null references accounts (id) on delete cascade,
    credential text,
    grant_id text,
    name text not null,
    cron text not null,
    time_zone text not null,
    sealed_request text not null,
    request text not null,
    source text not null,
    is_active boolean not null,
    mail_on_failure boolean not null,
    is_failing boolean not null default false,
    paused_reason text,
    next_run_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`.execute(db);
  await sql`create index schedules_due on schedules (next_run_at) where is_active`.execute(db);
  await sql`create index schedules_dataset on schedules (dataset_id)`.execute(db);
  await sql`create table schedule_runs (
    id text primary key,
    schedule_id text not null references schedules (id) on delete cascade,
    planned_at timestamptz not null,
    is_manual boolean not null,
    state text not null,
    job_id text references jobs (id) on delete set null,
    error text,
    error_name text,
    error_code integer,
    lease_until timestamptz,
    ended_at timestamptz
  )`.execute(db);
  await sql`create index schedule_runs_schedule on schedule_runs (schedule_id, planned_at)`.execute(db);
  await sql`create index schedule_runs_job on schedule_runs (job_id)`.execute(db);
  await sql`create index schedule_runs_open on schedule_runs (state) where state in ('starting', 'started')`.execute(
    db,
  );
};

export const schedules: Migration = { up };
