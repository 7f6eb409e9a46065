import { randomBytesPerId } from '@redoubt/records';
import { createCipheriv } from 'node:crypto';

/** The length of a block's seed, in bytes. */
export const seedBytes = 32;

/**
 * The random bytes for the ids of a block's records: a keystream of AES-256 in counter mode. Without the seed they cannot be
 * guessed.
 */
export const expandSeed = (seed: Buffer, records: number): Buffer =>
  createCipheriv('aes-256-ctr', seed, Buffer.alloc(16)).update(Buffer.alloc(records * randomBytesPerId));
