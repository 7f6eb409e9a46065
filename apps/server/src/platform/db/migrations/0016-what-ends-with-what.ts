import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What sessions, grants and jobs were derived from, so that they end together with it. */
const up = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    // A session that was derived from another one ends with it.
    sql`alter table sessions add column derived_from text references sessions on delete cascade`,
    sql`create index sessions_derived_from on sessions (derived_from) where derived_from is not null`,
    // A grant given in a session through an identity provider ends with the link, as the session does.
    sql`alter table application_grants add column identity_id text references account_identities on delete cascade`,
    sql`create index application_grants_identity on application_grants (identity_id) where identity_id is not null`,
    // Not a foreign key: when the grant is deleted, the job must stay and fail. A foreign key would delete the job, or
    // set this column to null as if the job had never had a grant.
    sql`alter table jobs add column grant_id text`,
  ];
  for (const statement of statements) await statement.execute(db);
};

export const whatEndsWithWhat: Migration = { up };
