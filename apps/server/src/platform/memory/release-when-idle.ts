import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The part of a period that the main thread may work for the server to count as idle: health checks take less. */
const idlePart = 0.02;
const periodMs = 5000;

/**
 * Has memory released once the server is idle after work: what a burst of requests took is otherwise kept until the next one.
 * @returns what ends it
 */
export const releaseWhenIdle = (release: () => Promise<void>): (() => void) => {
  let before = performance.eventLoopUtilization();
  let hasWorked = true;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > idlePart) {
      hasWorked = true;
      return;
    }
    if (!hasWorked) return;
    hasWorked = false;
    // Nobody waits for it, and the next idle period after work tries again.
    release().catch(() => undefined);
  }, periodMs);
  timer.unref();
  return () => clearInterval(timer);
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects the garbage of this thread, which takes it about a tenth of a second. */
export const collectGarbage = (): void => collect();
