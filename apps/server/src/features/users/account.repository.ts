import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Accounts of all workspaces. Email addresses must be in lower case. */
export const createAccountRepository = (db: Db) => ({
  findByEmail: (email: string): Promise<{ id: string; email: string } | undefined> =>
    db.selectFrom('accounts').select(['id', 'email']).where('email', '=', email).executeTakeFirst(),

  passwordHash: async (id: string): Promise<string | null> => {
    const row = await db
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.password_hash ?? null;
  },

  /** Changes the defined properties. Without any, the account and its `updatedAt` stay as they are. */
  update: async (
    id: string,
    change: {
      firstName: string | undefined;
      lastName: string | undefined;
      passwordHash: string | undefined;
    },
    now: Date,
  ): Promise<void> => {
    const { firstName, lastName, passwordHash } = change;
    const set = {
      ...(firstName === undefined ? {} : { first_name: firstName }),
      ...(lastName === undefined ? {} : { last_name: lastName }),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash, password_chosen_in: null }),
    };
    if (Object.keys(set).length === 0) return;
    await db
      .updateTable('accounts')
      .set({ ...set, updated_at: now })
      .where('id', '=', id)
      .execute();
  },

  remove: async (id: string): Promise<void> => {
    await db
      .deleteFrom('invitations')
      .where('created_by', '=', id)
      .where('accepted_at', 'is', null)
      .execute();
    await db.deleteFrom('accounts').where('id', '=', id).execute();
  },

  /** Returns the workspaces of the account, and locks the account and the workspaces until the transaction ends. */
  lockWithWorkspaces: async (id: string): Promise<{ uniqueId: string; slug: string }[]> => {
    await db.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute();
    return db
      .selectFrom('workspaces')
      .select(['unique_id as uniqueId', 'slug'])
      .where(
        sql<boolean>`exists (select 1 from memberships
          where memberships.workspace_uid = workspaces.unique_id and memberships.account_id = ${id})`,
      )
      .orderBy('unique_id')
      .forUpdate()
      .execute();
  },
});
