import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

export interface AccountRow {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  verified: boolean;
  createdAt: Date;
  updatedAt: Date;
  hasPicture: boolean;
  /** Until when a change of address can be confirmed; null where none is under way. */
  emailChangeUntil: Date | null;
  /** Memberships that are not disabled. */
  workspaceCount: number;
}

export type AuthenticationRepository = ReturnType<typeof createAuthenticationRepository>;

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

  /** The workspaces that the account can sign in to. */
  workspacesOf: (accountId: string): Promise<{ uniqueId: string; slug: string }[]> =>
    db
      .selectFrom('memberships')
      .innerJoin('workspaces', 'workspaces.unique_id', 'memberships.workspace_uid')
      .select(['workspaces.unique_id as uniqueId', 'workspaces.slug'])
      .where('memberships.account_id', '=', accountId)
      .where('memberships.disabled', '=', false)
      .execute(),

  account: (id: string): Promise<AccountRow> =>
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
          where email_changes.account_id = accounts.id)`.as('emailChangeUntil'),
        sql<number>`(select count(*)::integer from memberships
          where memberships.account_id = accounts.id and not memberships.disabled)`.as('workspaceCount'),
      ])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
});
