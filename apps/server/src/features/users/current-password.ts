import { forbidden, RedoubtError, unauthenticated } from '@redoubt/errors';
import type { Person } from '../../platform/auth/actor.ts';
import type { SignInThrottle } from '../../platform/auth/sign-in-throttle.ts';
import type { PasswordHashing } from '../../platform/auth/passwords.ts';
import type { Db } from '../../platform/db/database.ts';
import { createAccountRepository } from './account.repository.ts';

export interface CurrentPasswordDeps {
  db: Db;
  throttle: SignInThrottle;
}

/**
 * Checks that a signed-in person also knows the password. Wrong passwords count as failed sign-ins, so that a stolen
 * session cannot be used to guess the password.
 * @throws RedoubtError 403 for a wrong password, 429 after too many
 */
export const createCurrentPasswordCheck =
  ({ db, throttle }: CurrentPasswordDeps) =>
  async <T>(
    actor: Person,
    currentPassword: string,
    change: (hashing: PasswordHashing) => Promise<T>,
  ): Promise<T> => {
    const guess = { account: actor.email, ip: actor.origin?.ip ?? '' };
    try {
      return await throttle.attempt(guess, async (hashing) => {
        const hash = await createAccountRepository(db).passwordHash(actor.accountId);
        if (!(await hashing.verify(currentPassword, hash)))
          throw unauthenticated('The password is wrong. Send the right one.');
        return change(hashing);
      });
    } catch (error) {
      if (!(error instanceof RedoubtError) || error.name !== 'AuthError') throw error;
      throw forbidden('currentPassword must be the current password of the account. Send the right one.');
    }
  };
