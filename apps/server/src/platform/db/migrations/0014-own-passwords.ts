import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** In which workspace somebody else has chosen the password of an account: they know it until its person changes it. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table accounts add column password_chosen_in text`.execute(db);
};

export const ownPasswords: Migration = { up };
