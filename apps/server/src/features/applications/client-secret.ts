import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../platform/runtime.ts';

const secretBytes = 32;

/** A text that nobody can guess. It carries 256 bits of chance, so a plain hash of it tells nobody anything. */
export const generateClientSecret = (random: Random): string => random.bytes(secretBytes).toString('hex');

export const secretHashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Whether the secret is the one behind the hash, in the same time wherever they differ. */
export const isSecretOf = (secret: string, hash: string): boolean => {
  const [sent, kept] = [Buffer.from(secretHashOf(secret)), Buffer.from(hash)];
  return sent.length === kept.length && timingSafeEqual(sent, kept);
};
