/** A contender, and its times so far. */
export interface TurnEntry {
  readonly run: () => Promise<{ readonly milliseconds: number }>;
  /** Milliseconds of each run. */
  readonly times: number[];
}

/**
 * How often a contender runs in a row. From the second run on, its data is in the caches of the machine, as on a server
 * in use.
 */
const maxConsecutiveRuns = 3;

/**
 * Rotates the contenders, and reverses every other rotation, so that a contender does not always follow the same one.
 */
const rotate = <One>(all: readonly One[], turn: number): One[] => {
  const first = Math.floor(turn / 2) % all.length;
  const turned = [...all.slice(first), ...all.slice(0, first)];
  return turn % 2 === 0 ? turned : turned.toReversed();
};

/**
 * Runs all contenders in turn.
 * @param runs the number of runs of each, rounded up to whole turns
 * @param minRuns after this number of runs, a contender that has used `timeoutMilliseconds` does not run again
 */
export async function runInTurns(
  all: readonly TurnEntry[],
  { runs, minRuns, timeoutMilliseconds }: { runs: number; minRuns: number; timeoutMilliseconds: number },
): Promise<void> {
  const consecutiveRuns = Math.min(maxConsecutiveRuns, runs);
  for (let turn = 0; turn < runs / consecutiveRuns; turn++) {
    for (const { run, times } of rotate(all, turn)) {
      for (let count = 0; count < consecutiveRuns; count++) {
        const spent = times.reduce((sum, time) => sum + time, 0);
        if (times.length < minRuns || spent < timeoutMilliseconds) times.push((await run()).milliseconds);
      }
    }
  }
}
