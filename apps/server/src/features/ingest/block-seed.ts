import { randomBytesPerId } from '@redoubt/records';
import { createCipheriv } from 'node:crypto';

/** Bytes of the seed of a block. */
export const seedBytes = 32;

/**
 * Bytes for the ids of the records of a block, which nobody can guess without its seed: a keystream of AES-256 in counter mode.
 */
export const expandSeed = (seed: Buffer, records: number): Buffer =>
  createCipheriv('aes-256-ctr', seed, Buffer.alloc(16)).update(Buffer.alloc(records * randomBytesPerId));
