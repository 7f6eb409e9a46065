import { RedoubtError, tooMany } from '@redoubt/errors';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../runtime.ts';
import type { Db } from '../db/database.ts';
import { addressOwner } from '../http/client-address.ts';
import { createFailureCounts, type BackoffRule } from './failure-counts.repository.ts';
import type { PasswordHashing, Passwords } from './passwords.ts';

export interface SignInThrottle {
  /**
   * Checks a password, unless there were too many wrong ones. Counts by the name that was sent, whether or not such an
   * account exists.
   * @param guess the name, and the address of the client as trusted proxies report it
   * @param check throws AuthError if the password is wrong
   * @throws ForbiddenError 429 during the waiting time, and if too many attempts are running
   */
  attempt<T>(
    guess: { account: string; ip: string },
    check: (hashing: PasswordHashing) => Promise<T>,
  ): Promise<T>;
}

const second = 1000;
const minute = 60 * second;

/**
 * Three counts, since each alone would leave a gap:
 * - `pair`, an account and a client address: waits up to 15 minutes and affects nobody else
 * - `source`, a client address over all accounts: allows for many people behind one address, so it never waits long
 * - `account`, from everywhere: rejecting attempts would let strangers lock a person out, so responses only take
 * longer, for right passwords as well as wrong ones
 */
export interface SignInThrottleRules {
  pair: BackoffRule;
  source: BackoffRule;
  account: BackoffRule;
}

const defaultRules: SignInThrottleRules = {
  pair: { free: 5, firstMs: second, maxMs: 15 * minute, forgetOneMs: 15 * minute },
  source: { free: 100, firstMs: second, maxMs: minute, forgetOneMs: 6 * second },
  account: { free: 20, firstMs: second / 8, maxMs: 3 * second, forgetOneMs: minute },
};

const tooManyFailures = (waitMs: number): RedoubtError => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return tooMany(
    `Too many sign-ins from your address have failed. Try again in ${seconds} s, or reset the password.`,
    seconds,
  );
};

export const createSignInThrottle = ({
  db,
  passwords,
  secret,
  clock,
  rules = defaultRules,
  hold = setTimeout,
}: {
  db: Db;
  passwords: Passwords;
  /** The key of the hashes under which failures are counted; the same in all processes. */
  secret: Uint8Array;
  clock: Clock;
  rules?: SignInThrottleRules | undefined;
  /** Waits for this time; tests replace it. */
  hold?: (milliseconds: number) => Promise<unknown>;
}): SignInThrottle => {
  const failures = createFailureCounts(db, rules, secret);
  return {
    attempt: ({ account, ip }, check) =>
      // The counts are read inside the attempt: so only the few attempts that run at once use the same counts, and the
      // next ones read them after these have been counted.
      passwords.attempt(ip, async (hashing) => {
        const source = addressOwner(ip);
        const pair = JSON.stringify([account, source]);
        const keys = { account, pair, source };
        const waits = await failures.waits(keys, clock.now().getTime());
        const waitMs = Math.max(waits.pair ?? 0, waits.source ?? 0);
        if (waitMs > 0) throw tooManyFailures(waitMs);
        const delayMs = waits.account ?? 0;
        if (delayMs > 0) await hold(delayMs);
        try {
          const result = await check(hashing);
          if (waits.pair !== undefined) await failures.forget('pair', pair);
          return result;
        } catch (error) {
          if (error instanceof RedoubtError && error.name === 'AuthError') {
            await failures.add(keys, clock.now().getTime());
          }
          throw error;
        }
      }),
  };
};
