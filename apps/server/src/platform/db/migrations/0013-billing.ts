import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The daily usage of workspaces, and their state at the payment provider. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    // Integers stored as doubles: exact up to 9 petabytes, and drivers return them as numbers.
    sql`create table usage_days (
    workspace_uid text not null references workspaces on delete cascade,
    day text not null check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    meter text not null check (meter in ('base', 'compute', 'storage', 'network')),
    amount double precision not null,
    reported_at timestamptz,
    primary key (workspace_uid, day, meter)
  )`,
    sql`create table billing_accounts (
    workspace_uid text primary key references workspaces on delete cascade,
    customer_id text not null unique,
    payer_id text references accounts on delete set null,
    looks integer not null default 0,
    seen_by integer not null default 0,
    subscription_id text,
    status text check (status in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid')),
    current_period_start timestamptz,
    current_period_end timestamptz,
    cancel_at_period_end boolean,
    trial_start timestamptz,
    trial_end timestamptz,
    concurrency integer check (concurrency > 0),
    base_item text,
    compute_item text,
    storage_item text,
    network_item text,
    charge_id text,
    charge_failure_code text,
    charge_failure_message text,
    charge_invoice text,
    charge_status text check (charge_status in ('failed', 'pending', 'succeeded')),
    created_at timestamptz not null
  )`,
    sql`create table billing_events (id text primary key, received_at timestamptz not null)`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const billing: Migration = { up };
