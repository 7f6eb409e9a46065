import type { ListQuery, Session } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Person } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';

/** The valid sessions of one person. */
export interface SessionListRepository {
  list(actor: Person, now: Date, list: ListQuery): Promise<Page<Session>>;
  find(actor: Person, now: Date, id: string): Promise<Session | undefined>;
}

type Row = Omit<Session, 'createdAt' | 'expiresAt'> & { createdAt: Date; expiresAt: Date };

const toSession = (row: Row): Session => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});

const columnsFor = (actor: Person) => ({
  id: sql.ref<string>('sessions.id'),
  workspaceId: sql.ref<string | null>('workspaces.slug'),
  credential: sql<
    Session['credential']
  >`coalesce(${sql.ref('sessions.credential')}::jsonb ->> 'kind', 'session')`,
  current: sql<boolean>`(${sql.ref('sessions.id')} = ${actor.sessionId})`,
  createdAt: sql.ref<Date>('sessions.created_at'),
  expiresAt: sql.ref<Date>('sessions.expires_at'),
});

export const createSessionListRepository = (db: Db): SessionListRepository => {
  const ofPerson = (actor: Person, now: Date) => {
    const columns = columnsFor(actor);
    return db
      .selectFrom('sessions')
      .leftJoin('workspaces', 'workspaces.unique_id', 'sessions.workspace_uid')
      .select([
        columns.id.as('id'),
        columns.workspaceId.as('workspaceId'),
        columns.credential.as('credential'),
        columns.current.as('current'),
        columns.createdAt.as('createdAt'),
        columns.expiresAt.as('expiresAt'),
      ])
      .where('sessions.account_id', '=', actor.accountId)
      .$if(actor.isConfined === true, (query) =>
        query.where('sessions.workspace_uid', '=', actor.workspace?.uniqueId ?? ''),
      )
      .where('sessions.revoked_at', 'is', null)
      .where('sessions.expires_at', '>', now)
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('application_grants')
              .select('application_grants.id')
              .whereRef('application_grants.id', '=', 'sessions.grant_id')
              .where('application_grants.revoked_at', 'is not', null),
          ),
        ),
      )
      .where((row) =>
        row.or([
          row('sessions.workspace_uid', 'is', null),
          row.exists(
            row
              .selectFrom('memberships')
              .select('memberships.role')
              .whereRef('memberships.workspace_uid', '=', 'sessions.workspace_uid')
              .whereRef('memberships.account_id', '=', 'sessions.account_id')
              .where('memberships.disabled', '=', false),
          ),
        ]),
      );
  };
  return {
    list: async (actor, now, list) => {
      const page = await readPage(ofPerson(actor, now), list, columnsFor(actor), sql.ref('sessions.id'));
      return { ...page, data: page.data.map(toSession) };
    },
    find: async (actor, now, id) => {
      const row = await ofPerson(actor, now).where('sessions.id', '=', id).executeTakeFirst();
      return row && toSession(row);
    },
  };
};
