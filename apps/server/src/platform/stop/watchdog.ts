import { Worker } from 'node:worker_threads';

/** Kills the process at a deadline, even if native code blocks the main thread. */
export interface Watchdog {
  /** Replaces the remaining time. */
  set(milliseconds: number): void;
}

export const startWatchdog = (milliseconds: number): Watchdog => {
  const due = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  const set = (left: number): void => {
    Atomics.store(due, 0, process.hrtime.bigint() + BigInt(Math.round(left)) * 1_000_000n);
    Atomics.notify(due, 0);
  };
  set(milliseconds);
  const worker = new Worker(new URL('./watchdog-worker.ts', import.meta.url), { workerData: due });
  worker.unref();
  return { set };
};
