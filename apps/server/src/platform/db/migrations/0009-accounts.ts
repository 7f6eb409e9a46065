import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Mail to be sent, links that were sent, pending changes of email addresses, and profile pictures. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create table mail_outbox (
      id text primary key,
      kind text not null,
      about text not null,
      attempts integer not null,
      due_at timestamptz not null,
      created_at timestamptz not null
    )`,
    sql`create index mail_outbox_due on mail_outbox (due_at)`,
    sql`create table account_links (
      id text primary key,
      account_id text not null references accounts on delete cascade,
      purpose text not null check (purpose in ('verify-email', 'reset-password', 'leave-email', 'take-email')),
      secret_hash text not null,
      email text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      unique (account_id, purpose)
    )`,
    sql`create table email_changes (
      account_id text primary key references accounts on delete cascade,
      new_email text not null,
      old_confirmed boolean not null,
      new_confirmed boolean not null,
      expires_at timestamptz not null
    )`,
    sql`create table account_pictures (
      account_id text primary key references accounts on delete cascade,
      picture text not null
    )`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const accounts: Migration = { up };
