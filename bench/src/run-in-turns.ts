/** What the same is asked of, and what it took so far. */
export interface TurnEntry {
  readonly ask: () => Promise<{ readonly milliseconds: number }>;
  /** Milliseconds of each run. */
  readonly times: number[];
}

/** Each turn is so many runs, where that many are wanted: a server in use finds in the caches of the machine what its query before left there. */
const mostInARow = 3;

/** The same in another order each turn, one way around and the other: nobody always comes after the same one. */
const inTurn = <One>(all: readonly One[], turn: number): One[] => {
  const first = Math.floor(turn / 2) % all.length;
  const turned = [...all.slice(first), ...all.slice(0, first)];
  return turn % 2 === 0 ? turned : turned.toReversed();
};

/**
 * Asks all of them in turn.
 * @param runs of each, rounded up to whole turns
 * @param patience milliseconds: who has taken so long is not asked again, once that was `fewest` times
 */
export async function runInTurns(
  all: readonly TurnEntry[],
  { runs, fewest, patience }: { runs: number; fewest: number; patience: number },
): Promise<void> {
  const runsInARow = Math.min(mostInARow, runs);
  for (let turn = 0; turn < runs / runsInARow; turn++) {
    for (const { ask, times } of inTurn(all, turn)) {
      for (let run = 0; run < runsInARow; run++) {
        const spent = times.reduce((sum, time) => sum + time, 0);
        if (times.length < fewest || spent < patience) times.push((await ask()).milliseconds);
      }
    }
  }
}
