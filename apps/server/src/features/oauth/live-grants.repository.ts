import type { Db } from '../../platform/db/database.ts';

/** Selects grants that still apply: not revoked, of enabled members who are allowed users of the application. */
export const liveGrants = (db: Db) =>
  db
    .selectFrom('application_grants')
    .innerJoin('applications', 'applications.id', 'application_grants.application_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.workspace_uid', '=', 'application_grants.workspace_uid')
        .onRef('memberships.account_id', '=', 'application_grants.account_id')
        .on('memberships.disabled', '=', false),
    )
    .innerJoin('application_users', (join) =>
      join
        .onRef('application_users.application_id', '=', 'application_grants.application_id')
        .onRef('application_users.account_id', '=', 'application_grants.account_id'),
    )
    .where('application_grants.revoked_at', 'is', null);
