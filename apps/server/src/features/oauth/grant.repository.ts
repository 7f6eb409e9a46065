import type { ApplicationGrant, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Person } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { liveGrants } from './live-grants.repository.ts';

/** The valid grants of one person to applications. */
export interface GrantListRepository {
  list(actor: Person, now: Date, list: ListQuery): Promise<Page<ApplicationGrant>>;
  find(actor: Person, now: Date, id: string): Promise<ApplicationGrant | undefined>;
}

type Row = Omit<ApplicationGrant, 'createdAt' | 'expiresAt'> & { createdAt: Date; expiresAt: Date };

const toGrant = (row: Row): ApplicationGrant => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});

/** When the last valid token of the grant expires. */
const expiresAt = sql<Date>`greatest(
  (select max(expires_at) from application_codes where grant_id = application_grants.id and used_at is null),
  (select max(expires_at) from application_refresh_tokens where grant_id = application_grants.id and used_at is null),
  (select max(expires_at) from sessions where grant_id = application_grants.id and revoked_at is null))`;

const columns = {
  id: sql.ref<string>('application_grants.id'),
  applicationId: sql.ref<string>('applications.id'),
  name: sql.ref<string>('applications.name'),
  url: sql.ref<string>('applications.url'),
  type: sql.ref<ApplicationGrant['type']>('applications.type'),
  workspaceId: sql.ref<string>('workspaces.slug'),
  createdAt: sql.ref<Date>('application_grants.created_at'),
  expiresAt,
};

export const createGrantListRepository = (db: Db): GrantListRepository => {
  const ofPerson = (actor: Person, now: Date) =>
    liveGrants(db)
      .innerJoin('workspaces', 'workspaces.unique_id', 'application_grants.workspace_uid')
      .where('application_grants.account_id', '=', actor.accountId)
      .where(expiresAt, '>', now)
      .$if(actor.isConfined === true, (query) =>
        query.where('application_grants.workspace_uid', '=', actor.workspace?.uniqueId ?? ''),
      )
      .select([
        columns.id.as('id'),
        columns.applicationId.as('applicationId'),
        columns.name.as('name'),
        columns.url.as('url'),
        columns.type.as('type'),
        columns.workspaceId.as('workspaceId'),
        columns.createdAt.as('createdAt'),
        expiresAt.as('expiresAt'),
      ]);
  return {
    list: async (actor, now, list) => {
      const page = await readPage(ofPerson(actor, now), list, columns, columns.id);
      return { ...page, data: page.data.map(toGrant) };
    },
    find: async (actor, now, id) => {
      const row = await ofPerson(actor, now).where('application_grants.id', '=', id).executeTakeFirst();
      return row && toGrant(row);
    },
  };
};
