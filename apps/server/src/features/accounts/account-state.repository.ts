import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

export interface AccountState {
  id: string;
  /** In lower case. */
  email: string;
  firstName: string;
  verified: boolean;
  hasPassword: boolean;
}

/** Email address and password of accounts. */
export const createAccountStateRepository = (db: Db) => {
  const accounts = () =>
    db
      .selectFrom('accounts')
      .select([
        'id',
        'email',
        'first_name as firstName',
        'verified',
        sql<boolean>`password_hash is not null`.as('hasPassword'),
      ]);
  return {
    find: (id: string): Promise<AccountState | undefined> =>
      accounts().where('id', '=', id).executeTakeFirst(),

    findByEmail: (email: string): Promise<AccountState | undefined> =>
      accounts().where('email', '=', email).executeTakeFirst(),

    /** Finds and locks the account until the transaction ends. */
    lock: (id: string): Promise<AccountState | undefined> =>
      accounts().where('id', '=', id).forUpdate().executeTakeFirst(),

    setVerified: async (id: string, now: Date): Promise<void> => {
      await db
        .updateTable('accounts')
        .set({ verified: true, updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    setEmail: async (id: string, email: string, now: Date): Promise<void> => {
      await db
        .updateTable('accounts')
        .set({ email, verified: true, updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    setPassword: async (id: string, passwordHash: string, now: Date): Promise<void> => {
      await db
        .updateTable('accounts')
        .set({ password_hash: passwordHash, password_chosen_in: null, updated_at: now })
        .where('id', '=', id)
        .execute();
    },
  };
};
