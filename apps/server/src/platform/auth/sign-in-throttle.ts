import { RedoubtError, tooMany } from '@redoubt/errors';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../runtime.ts';
import type { Db } from '../db/database.ts';
import { createFailureCounts, type BackoffRule } from './failure-counts.repository.ts';

export interface SignInThrottle {
  /**
   * Lets somebody show a password, unless they have shown too many wrong ones. It goes by the name that was sent, whether
   * or not there is such an account.
   * @param check throws AuthError where the password is wrong
   * @throws ForbiddenError 429 while they have to wait
   */
  attempt<T>(guess: { account: string; source: string }, check: () => Promise<T>): Promise<T>;
}

const second = 1000;
const minute = 60 * second;

/**
 * Three counts, since each alone would leave something open:
 * - of an account and where the guesses come from: grows to a quarter of an hour, and concerns nobody else;
 * - of where they come from, over all accounts: allows for many people behind one address, and never waits long;
 * - of an account, from everywhere: strangers could keep a person out if anybody were refused for it, so that answers
 *   take longer, for right passwords as for wrong ones, and nobody is refused.
 */
export interface SignInThrottleRules {
  pair: BackoffRule;
  source: BackoffRule;
  account: BackoffRule;
}

const usualGuessRules: SignInThrottleRules = {
  pair: { free: 5, firstMs: second, mostMs: 15 * minute, forgetOneMs: 15 * minute },
  source: { free: 100, firstMs: second, mostMs: minute, forgetOneMs: 6 * second },
  account: { free: 20, firstMs: second / 8, mostMs: 3 * second, forgetOneMs: minute },
};

/** Attempts of one account from one place that a process looks at side by side; else they would all be free. */
const sideBySide = 20;

const refusal = (waitMs: number): RedoubtError => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return tooMany(
    `Too many sign-ins from your address have failed: try again in ${seconds} s, or reset the password.`,
    seconds,
  );
};

export const createSignInThrottle = ({
  db,
  secret,
  clock,
  rules = usualGuessRules,
  hold = setTimeout,
}: {
  db: Db;
  /** The same in all processes. */
  secret: Uint8Array;
  clock: Clock;
  rules?: SignInThrottleRules | undefined;
  /** Waits for so many milliseconds. */
  hold?: (milliseconds: number) => Promise<unknown>;
}): SignInThrottle => {
  const failures = createFailureCounts(db, rules, secret);
  const underWay = new Map<string, number>();
  const begin = (pair: string): void => {
    const others = underWay.get(pair) ?? 0;
    if (others >= sideBySide) throw refusal(second);
    underWay.set(pair, others + 1);
  };
  const end = (pair: string): void => {
    const others = (underWay.get(pair) ?? 1) - 1;
    if (others === 0) underWay.delete(pair);
    else underWay.set(pair, others);
  };
  return {
    attempt: async ({ account, source }, check) => {
      const pair = JSON.stringify([account, source]);
      const keys = { account, pair, source };
      // Before the look: no more go by it than are let in, and the next looks when these have been counted.
      begin(pair);
      try {
        const waits = await failures.waits(keys, clock.now().getTime());
        const waitMs = Math.max(waits.pair ?? 0, waits.source ?? 0);
        if (waitMs > 0) throw refusal(waitMs);
        const heldMs = waits.account ?? 0;
        if (heldMs > 0) await hold(heldMs);
        const result = await check();
        if (waits.pair !== undefined) await failures.forget('pair', pair);
        return result;
      } catch (error) {
        if (error instanceof RedoubtError && error.name === 'AuthError') {
          await failures.add(keys, clock.now().getTime());
        }
        throw error;
      } finally {
        end(pair);
      }
    },
  };
};
