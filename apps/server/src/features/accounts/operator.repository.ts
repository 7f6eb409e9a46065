import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Accounts and workspaces as the operator of the machine sees them: all there are. */
export const createOperatorRepository = (db: Db) => ({
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

  /** One without a password, so that nobody signs in until a link has set one. */
  createAccount: async ({ id, email, now }: { id: string; email: string; now: Date }): Promise<void> => {
    await db
      .insertInto('accounts')
      .values({
        id,
        email,
        first_name: email.split('@')[0] ?? email,
        last_name: 'Admin',
        password_hash: null,
        verified: false,
        created_at: now,
        updated_at: now,
      })
      .execute();
  },

  /** The ids of workspaces, two of them at most. */
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

  /** Makes the account an admin of the workspace, whatever it was there; false where there is no such workspace. */
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
