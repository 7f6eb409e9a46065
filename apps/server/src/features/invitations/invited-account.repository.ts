import type { Db } from '../../platform/db/database.ts';

/** Creates the account of an invited address. The address must be in lower case. */
export const createInvitedAccount = async (
  db: Db,
  account: {
    id: string;
    email: string;
    firstName: string;
    lastName: string;
    passwordHash: string;
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
