import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The server counts as idle below this event loop utilization: health checks stay below it. */
const idleUtilization = 0.02;
const periodMs = 5000;

/**
 * Calls `release` once the server becomes idle after work. Otherwise it would keep the memory of a burst of requests
 * until the next one.
 * @returns a function that stops it
 */
export const releaseWhenIdle = (release: () => Promise<void>): (() => void) => {
  let before = performance.eventLoopUtilization();
  let hasWorked = true;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > idleUtilization) {
      hasWorked = true;
      return;
    }
    if (!hasWorked) return;
    hasWorked = false;
    // A failure is harmless: the next idle period after work tries again.
    release().catch(() => undefined);
  }, periodMs);
  timer.unref();
  return () => clearInterval(timer);
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Runs a garbage collection on this thread, which blocks it for about a tenth of a second. */
export const collectGarbage = (): void => collect();
