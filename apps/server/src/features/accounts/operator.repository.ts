import { insertAccount } from '../../platform/auth/account.repository.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Accounts and workspaces for the operator, without any limits of visibility. */
export const createOperatorRepository = (db: Db) => ({
  hasAccount: async (): Promise<boolean> =>
    (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined,

  findAccount: (
    email: string,
  ): Promise<{ id: string; hasPassword: boolean; passwordChosenIn: string | null } | undefined> =>
    db
      .selectFrom('accounts')
      .select([
        'id',
        sql<boolean>`password_hash is not null`.as('hasPassword'),
        'password_chosen_in as passwordChosenIn',
      ])
      .where('email', '=', email)
      .executeTakeFirst(),

  /** Creates an account without a password: nobody can sign in until a link has set one. */
  createAccount: async ({ id, email, now }: { id: string; email: string; now: Date }): Promise<void> => {
    await insertAccount(db, {
      id,
      email,
      firstName: email.split('@')[0] ?? email,
      lastName: 'Admin',
      passwordHash: null,
      passwordChosenIn: null,
      verified: false,
      now,
    });
  },

  /** Returns at most two workspace slugs: enough to know whether there is exactly one workspace. */
  someSlugs: async (): Promise<string[]> => {
    const rows = await db.selectFrom('workspaces').select('slug').orderBy('slug').limit(2).execute();
    return rows.map(({ slug }) => slug);
  },

  uniqueIdOf: async (slug: string): Promise<string | undefined> => {
    const row = await db
      .selectFrom('workspaces')
      .select('unique_id')
      .where('slug', '=', slug)
      .executeTakeFirst();
    return row?.unique_id;
  },

  /** Makes the account an enabled admin of the workspace. Returns false if the workspace does not exist. */
  makeAdmin: async (slug: string, accountId: string, now: Date): Promise<boolean> => {
    const workspace = await db
      .selectFrom('workspaces')
      .select('unique_id')
      .where('slug', '=', slug)
      .executeTakeFirst();
    if (workspace === undefined) return false;
    await db
      .insertInto('memberships')
      .values({
        workspace_uid: workspace.unique_id,
        account_id: accountId,
        role: 'admin',
        disabled: false,
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_uid', 'account_id']).doUpdateSet({ role: 'admin', disabled: false }),
      )
      .execute();
    return true;
  },
});
