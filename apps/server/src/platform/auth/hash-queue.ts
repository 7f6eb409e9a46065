import { createFairQueue } from '@redoubt/records';
import { availableParallelism } from 'node:os';

/** Computes hashes of passwords, a few at once. Addresses whose hashes wait take turns. */
export interface HashQueue {
  run<T>(source: string, compute: () => Promise<T>): Promise<T>;
}

/**
 * Hashes take a core each and run on libuv's threads, which everything else needs too. So one core stays free, and one
 * of the four threads that there are by default.
 */
const defaultConcurrency = Math.max(1, Math.min(3, availableParallelism() - 1));

/** @param concurrency maximum number of hashes that are computed at once */
export const createHashQueue = (concurrency = defaultConcurrency): HashQueue => {
  const waiting = createFairQueue<string, void>();
  let running = 0;
  const release = (): void => {
    const next = waiting.next();
    if (next === undefined) running -= 1;
    else next.resolve();
  };
  return {
    run: async (source, compute) => {
      if (running >= concurrency) await waiting.wait(source, undefined, () => new Error('never aborted'));
      else running += 1;
      try {
        return await compute();
      } finally {
        release();
      }
    },
  };
};
