import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sessions of browsers are proven by a cookie, whose secret is kept as a hash. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table sessions add column cookie_hash text`.execute(db);
};

export const sessionCookies: Migration = { up };
