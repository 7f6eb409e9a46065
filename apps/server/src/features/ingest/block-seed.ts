import { createCipheriv } from 'node:crypto';

/** Bytes of the seed of a block. */
export const seedBytes = 32;

/** Bytes for the record ids of a block, which nobody can guess without its seed: a keystream of AES-256 in counter mode. */
export const expandSeed = (seed: Buffer, size: number): Buffer =>
  createCipheriv('aes-256-ctr', seed, Buffer.alloc(16)).update(Buffer.alloc(size));
