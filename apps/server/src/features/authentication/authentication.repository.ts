import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { customerOf } from '../../platform/subscriptions/index.ts';

export interface AccountRow {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  verified: boolean;
  createdAt: Date;
  updatedAt: Date;
  hasPicture: boolean;
  /** Until when a pending change of address can be confirmed; null if there is none. */
  emailChangeUntil: Date | null;
  /** The customer at the payment host, if the person pays for the workspace of the session. */
  stripeCustomerId: string | null;
  /** The number of enabled memberships; 1 for a session that is confined to its workspace. */
  workspaceCount: number;
  /** The person's identities at the server's own providers; those of workspaces are left out. */
  identities: { strategy: string; subject: string }[];
}

export type AuthenticationRepository = ReturnType<typeof createAuthenticationRepository>;

/** SQL for whether a session is confined to its workspace: through a provider of that workspace, a key or an application. */
const isConfined = (sessionId: string) => sql<boolean>`exists (
  select from sessions left join account_identities on account_identities.id = sessions.identity_id
  where sessions.id = ${sessionId}
    and (sessions.credential is not null or account_identities.provider_id is not null))`;

export const createAuthenticationRepository = (db: Db) => ({
  /** @param email in lower case */
  findSecret: (
    email: string,
  ): Promise<{ id: string; email: string; passwordHash: string | null } | undefined> =>
    db
      .selectFrom('accounts')
      .select(['id', 'email', 'password_hash as passwordHash'])
      .where('email', '=', email)
      .executeTakeFirst(),

  /** Returns the workspaces that the account can sign in to. */
  workspacesOf: (accountId: string): Promise<{ uniqueId: string; slug: string }[]> =>
    db
      .selectFrom('memberships')
      .innerJoin('workspaces', 'workspaces.unique_id', 'memberships.workspace_uid')
      .select(['workspaces.unique_id as uniqueId', 'workspaces.slug'])
      .where('memberships.account_id', '=', accountId)
      .where('memberships.disabled', '=', false)
      .execute(),

  account: (id: string, sessionId: string): Promise<AccountRow> =>
    db
      .selectFrom('accounts')
      .select([
        'id',
        'email',
        'first_name as firstName',
        'last_name as lastName',
        'verified',
        'created_at as createdAt',
        'updated_at as updatedAt',
        sql<boolean>`exists (select from account_pictures
          where account_pictures.account_id = accounts.id)`.as('hasPicture'),
        sql<Date | null>`(select expires_at from email_changes
          where email_changes.account_id = accounts.id and not ${isConfined(sessionId)})`.as(
          'emailChangeUntil',
        ),
        customerOf(sessionId).as('stripeCustomerId'),
        sql<number>`case when ${isConfined(sessionId)} then 1 else (select count(*)::integer from memberships
          where memberships.account_id = accounts.id and not memberships.disabled) end`.as('workspaceCount'),
        sql<{ strategy: string; subject: string }[]>`(
          select coalesce(json_agg(json_build_object('strategy', strategy, 'subject', subject) order by strategy, subject), '[]')
          from account_identities where account_id = accounts.id and provider_id is null and not ${isConfined(sessionId)})`.as(
          'identities',
        ),
      ])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
});
