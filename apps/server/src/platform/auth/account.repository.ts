import type { Db } from '../db/database.ts';

/**
 * Creates an account. The address must be in lower case.
 * @throws a unique violation if the address is taken
 */
export const insertAccount = async (
  db: Db,
  account: {
    id: string;
    email: string;
    firstName: string;
    lastName: string;
    /** null: nobody can sign in with a password. */
    passwordHash: string | null;
    /** The workspace in which another person may have chosen the password; null if only the owner of the address can have. */
    passwordChosenIn: string | null;
    verified: boolean;
    now: Date;
  },
): Promise<void> => {
  await db
    .insertInto('accounts')
    .values({
      id: account.id,
      email: account.email,
      first_name: account.firstName,
      last_name: account.lastName,
      password_hash: account.passwordHash,
      password_chosen_in: account.passwordChosenIn,
      verified: account.verified,
      created_at: account.now,
      updated_at: account.now,
    })
    .execute();
};
