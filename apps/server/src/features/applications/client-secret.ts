import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../platform/runtime.ts';

const secretBytes = 32;

/** Generates a secret of 256 random bits, so that a plain hash of it cannot be reversed by guessing. */
export const generateClientSecret = (random: Random): string => random.bytes(secretBytes).toString('hex');

export const secretHashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Whether the secret has this hash. The comparison takes constant time. */
export const isSecretOf = (secret: string, hash: string): boolean => {
  const [sent, stored] = [Buffer.from(secretHashOf(secret)), Buffer.from(hash)];
  return sent.length === stored.length && timingSafeEqual(sent, stored);
};
