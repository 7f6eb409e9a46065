import { totalmem } from 'node:os';

interface Memory {
  /** Bytes of the machine. */
  machine: number;
  /** Memory limit of the container in bytes. Without a limit, it is 0 or more than the memory of the machine. */
  container: number;
}

const thisMemory = (): Memory => ({ machine: totalmem(), container: process.constrainedMemory() });

/** Minimum of MEMORY_LIMIT in bytes. It is too small for a record of the maximum size, which takes 750 MB. */
export const minMemoryLimit = 512 * 1024 * 1024;

/**
 * Half of the memory that is available to this process. The rest is for Node.js, the embedded database and the file
 * cache.
 */
export const halfOf = ({ machine, container }: Memory = thisMemory()): number =>
  Math.max(minMemoryLimit, Math.floor((container > 0 ? Math.min(machine, container) : machine) / 2));

const defaultQueryBytes = 2 ** 31;

/**
 * Memory limit of one query in bytes. The default is at most half of MEMORY_LIMIT, so that one query cannot use all of
 * it.
 */
export const queryMemoryOf = (config: {
  MEMORY_LIMIT: number;
  QUERY_MEMORY_BYTES: number | undefined;
}): number => config.QUERY_MEMORY_BYTES ?? Math.min(defaultQueryBytes, Math.floor(config.MEMORY_LIMIT / 2));
