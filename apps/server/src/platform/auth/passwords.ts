import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { addressOwner } from '../http/client-address.ts';
import type { Random } from '../runtime.ts';
import { createAttemptLimiter, type AttemptLimits } from './attempt-limiter.ts';
import { createHashQueue } from './hash-queue.ts';

const derive = promisify(argon2);

/** The cost of one hash: memory in KiB, and passes over it. */
export interface PasswordCost {
  memory: number;
  passes: number;
}

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. */
const defaultCost: PasswordCost = { memory: 19_456, passes: 2 };
const saltLength = 16;

/** Hashes passwords with argon2id, and verifies them. */
export interface PasswordHashing {
  /** The hash with its cost and salt, in the PHC string format. */
  hash(password: string): Promise<string>;
  /** Whether `password` matches `stored`. Takes equally long if nothing is stored. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

/** Gives access to the hashing of passwords, which is expensive. */
export interface Passwords {
  /**
   * Runs an attempt: a request that hashes passwords. Look up accounts in it and not before, so that a rejected attempt
   * reads nothing.
   * @param ip the address of the client, as trusted proxies report it
   * @throws ForbiddenError 429 if too many attempts of the address or of all addresses are running
   */
  attempt<T>(ip: string, run: (hashing: PasswordHashing) => Promise<T>): Promise<T>;
}

type Compute = (password: string, nonce: Buffer, cost: PasswordCost) => Promise<Buffer>;

const computeHash: Compute = (password, nonce, cost) =>
  derive('argon2id', {
    message: Buffer.from(password.normalize('NFC')),
    nonce,
    ...cost,
    parallelism: 1,
    tagLength: 32,
  });

const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$([^$]+)$/;
const absentSalt = Buffer.alloc(saltLength);

const createHashing = (compute: Compute, random: Random, cost: PasswordCost): PasswordHashing => ({
  hash: async (password) => {
    const salt = random.bytes(saltLength);
    const tag = await compute(password, salt, cost);
    const parameters = `m=${cost.memory},t=${cost.passes},p=1`;
    return `$argon2id$v=19$${parameters}$${salt.toString('base64')}$${tag.toString('base64')}`;
  },
  verify: async (password, text) => {
    const [, memory, passes, salt, tag] = stored.exec(text ?? '') ?? [];
    if (salt === undefined || tag === undefined) {
      await compute(password, absentSalt, cost);
      return false;
    }
    const own = { memory: Number(memory), passes: Number(passes) };
    const computed = await compute(password, Buffer.from(salt, 'base64'), own);
    return timingSafeEqual(computed, Buffer.from(tag, 'base64'));
  },
});

/** @param cost the cost of new hashes; a stored hash names its own */
export const createPasswords = ({
  random,
  cost = defaultCost,
  limits,
}: {
  random: Random;
  cost?: PasswordCost | undefined;
  limits?: AttemptLimits | undefined;
}): Passwords => {
  const limiter = createAttemptLimiter(limits);
  const queue = createHashQueue();
  return {
    attempt: (ip, run) => {
      const source = addressOwner(ip);
      const compute: Compute = (...hashed) => queue.run(source, () => computeHash(...hashed));
      return limiter.run(source, () => run(createHashing(compute, random, cost)));
    },
  };
};
