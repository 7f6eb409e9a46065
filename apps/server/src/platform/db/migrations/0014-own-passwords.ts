import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The workspace whose administrator chose the password of an account, and so knows it until its owner changes it. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table accounts add column password_chosen_in text`.execute(db);
};

export const ownPasswords: Migration = { up };
