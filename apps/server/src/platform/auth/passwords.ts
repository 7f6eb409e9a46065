import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '../runtime.ts';

const derive = promisify(argon2);

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const saltLength = 16;

export interface Passwords {
  /** A text that holds salt and hash, in the PHC form. */
  hash(password: string): Promise<string>;
  /** Whether `password` is the one behind `stored`. Takes as long where there is nothing stored. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

const compute = (password: string, nonce: Buffer): Promise<Buffer> =>
  derive('argon2id', { message: Buffer.from(password.normalize('NFC')), nonce, ...cost });

export const createPasswords = ({ random }: { random: Random }): Passwords => ({
  hash: async (password) => {
    const salt = random.bytes(saltLength);
    const tag = await compute(password, salt);
    const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
    return `$argon2id$v=19$${parameters}$${salt.toString('base64')}$${tag.toString('base64')}`;
  },
  verify: async (password, stored) => {
    const [, , , , salt, tag] = stored?.split('$') ?? [];
    const computed = await compute(password, Buffer.from(salt ?? 'A'.repeat(22), 'base64'));
    return tag !== undefined && timingSafeEqual(computed, Buffer.from(tag, 'base64'));
  },
});
