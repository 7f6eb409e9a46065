import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An invitation names an account, or an address that had none when it was sent. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table invitations alter column account_id drop not null`.execute(db);
  await sql`alter table invitations add column email text`.execute(db);
  await sql`alter table invitations add constraint invitations_invitee
    check ((account_id is null) <> (email is null))`.execute(db);
  await sql`create index invitations_email on invitations (email) where email is not null`.execute(db);
};

export const invitedAddresses: Migration = { up };
