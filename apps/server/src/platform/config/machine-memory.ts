import { totalmem } from 'node:os';

interface Memory {
  /** Bytes of the machine. */
  machine: number;
  /** Bytes that the container may have; 0, or more than the machine has, where there is no such limit. */
  container: number;
}

const thisMemory = (): Memory => ({ machine: totalmem(), container: process.constrainedMemory() });

/** A smaller budget could not hold a write of the size that is allowed by itself. */
export const smallestBudget = 512 * 1024 * 1024;

/** Half of the memory that this process can have. The rest is for itself, the embedded database, and files that the system caches. */
export const halfOf = ({ machine, container }: Memory = thisMemory()): number =>
  Math.max(smallestBudget, Math.floor((container > 0 ? Math.min(machine, container) : machine) / 2));

const usualQueryBytes = 2 ** 31;

/** How much memory one query may take: one alone never takes all, unless the operator says so. */
export const queryMemoryOf = (config: {
  MEMORY_LIMIT: number;
  QUERY_MEMORY_BYTES: number | undefined;
}): number => config.QUERY_MEMORY_BYTES ?? Math.min(usualQueryBytes, Math.floor(config.MEMORY_LIMIT / 2));
