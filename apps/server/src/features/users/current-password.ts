import { forbidden, RedoubtError, unauthenticated } from '@redoubt/errors';
import type { Person } from '../../platform/auth/actor.ts';
import type { SignInThrottle } from '../../platform/auth/sign-in-throttle.ts';
import type { Passwords } from '../../platform/auth/passwords.ts';
import type { Db } from '../../platform/db/database.ts';
import { addressOwner } from '../../platform/http/client-address.ts';
import { createAccountRepository } from './account.repository.ts';

export interface CurrentPasswordDeps {
  db: Db;
  passwords: Pick<Passwords, 'verify'>;
  throttle: SignInThrottle;
}

/**
 * Checks that a signed-in person also knows the password. Wrong passwords count as failed sign-ins, so that a stolen
 * session cannot be used to guess the password.
 * @throws RedoubtError 403 for a wrong password, 429 after too many
 */
export const createCurrentPasswordCheck =
  ({ db, passwords, throttle }: CurrentPasswordDeps) =>
  async (actor: Person, currentPassword: string): Promise<void> => {
    const guess = { account: actor.email, source: addressOwner(actor.origin?.ip ?? '') };
    try {
      await throttle.attempt(guess, async () => {
        const hash = await createAccountRepository(db).passwordHash(actor.accountId);
        if (!(await passwords.verify(currentPassword, hash)))
          throw unauthenticated('The password is wrong. Send the right one.');
      });
    } catch (error) {
      if (!(error instanceof RedoubtError) || error.name !== 'AuthError') throw error;
      throw forbidden('currentPassword must be the current password of the account. Send the right one.');
    }
  };
