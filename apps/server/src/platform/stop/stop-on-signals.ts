import { endProcess } from './end-process.ts';
import type { Part, Stopping } from './stop-in-stages.ts';
import { startWatchdog } from './watchdog.ts';

/**
 * Maximum time from the end of the grace period to the end of the process, in milliseconds: on the main thread, and for
 * the watchdog.
 */
const exitMs = 4700;
const watchdogMs = 4900;

/**
 * Stops the server on SIGINT and SIGTERM. A second signal ends the grace period, a third one the process.
 * @param stop starts to stop the server
 * @param say prints a line
 */
export const stopOnSignals = ({
  graceMs,
  stop,
  say,
}: {
  graceMs: number;
  stop: () => Stopping;
  say: (line: string) => void;
}): { isStopping: () => boolean } => {
  let signals = 0;
  let hurry: (() => void) | undefined;

  /** @returns a function that ends the grace period */
  const begin = (): (() => void) => {
    const begun = performance.now();
    const watchdog = startWatchdog(graceMs + watchdogMs);
    const seconds = (): string => ((performance.now() - begun) / 1000).toFixed(1);
    const report = (left: readonly Part[]): void => {
      const names = left.map(({ name }) => name).join(', ');
      say(`Stopped after ${seconds()} s${names === '' ? '.' : `; did not wait for: ${names}.`}`);
    };
    const stopping = stop();
    const giveUp = (): void => {
      report(stopping.open());
      endProcess(1);
    };
    let last = setTimeout(giveUp, graceMs + exitMs);
    const finish = async (): Promise<void> => {
      const left = await stopping.unfinished;
      report(left);
      // No native code of the engine is running, so an ordinary exit is safe.
      if (left.length === 0) process.exit(0);
      endProcess(left.some(({ stage }) => stage === 'engines') ? 1 : 0);
    };
    void finish();
    return () => {
      stopping.hurry();
      watchdog.set(watchdogMs);
      clearTimeout(last);
      last = setTimeout(giveUp, exitMs);
    };
  };

  const onSignal = (): void => {
    signals += 1;
    if (signals > 2) return endProcess(1);
    if (hurry === undefined) {
      say(`Stopping: requests and jobs have ${graceMs / 1000} s to end.`);
      hurry = begin();
    } else {
      say('Stopping now: aborting requests and jobs.');
      hurry();
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { isStopping: () => signals > 0 };
};
