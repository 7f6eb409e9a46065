import { endProcess } from './end-process.ts';
import type { Part, Stopping } from './stop-in-stages.ts';
import { startWatchdog } from './watchdog.ts';

/** How long after the grace the process may live, in milliseconds: first as the main thread counts, then as the watchdog does. */
const lastMs = 4700;
const watchdogMs = 4900;

/**
 * Stops the server on SIGINT and SIGTERM. A second signal ends the grace, a third one the process.
 * @param stop begins to stop the server
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

  /** @returns what ends the grace */
  const begin = (): (() => void) => {
    const begun = performance.now();
    const watchdog = startWatchdog(graceMs + watchdogMs);
    const seconds = (): string => ((performance.now() - begun) / 1000).toFixed(1);
    const tell = (left: readonly Part[]): void => {
      const names = left.map(({ name }) => name).join(', ');
      say(`Stopped after ${seconds()} s${names === '' ? '.' : `; not waited for: ${names}.`}`);
    };
    const stopping = stop();
    const giveUp = (): void => {
      tell(stopping.open());
      endProcess(1);
    };
    let last = setTimeout(giveUp, graceMs + lastMs);
    const finish = async (): Promise<void> => {
      const left = await stopping.unfinished;
      tell(left);
      // Nothing of the engine's native code is at work, so an ordinary exit is safe.
      if (left.length === 0) process.exit(0);
      endProcess(left.some(({ stage }) => stage === 'engines') ? 1 : 0);
    };
    void finish();
    return () => {
      stopping.hurry();
      watchdog.set(watchdogMs);
      clearTimeout(last);
      last = setTimeout(giveUp, lastMs);
    };
  };

  const onSignal = (): void => {
    signals += 1;
    if (signals > 2) return endProcess(1);
    if (hurry === undefined) {
      say(`Stopping: what is in flight has ${graceMs / 1000} s to end.`);
      hurry = begin();
    } else {
      say('Stopping now: what is in flight is cut off.');
      hurry();
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { isStopping: () => signals > 0 };
};
