import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What a session, a permission and a job came of, so that they end with it. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    // A session that was opened in exchange for another one ends with it.
    sql`alter table sessions add column derived_from text references sessions on delete cascade`,
    sql`create index sessions_derived_from on sessions (derived_from) where derived_from is not null`,
    // What somebody allowed in a session by an identity provider ends with the link, as the session does.
    sql`alter table application_grants add column identity_id text references account_identities on delete cascade`,
    sql`create index application_grants_identity on application_grants (identity_id) where identity_id is not null`,
    // No reference: without the row of the permission, the job has to be refused, and must be neither freed of it nor gone.
    sql`alter table jobs add column grant_id text`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const whatEndsWithWhat: Migration = { up };
