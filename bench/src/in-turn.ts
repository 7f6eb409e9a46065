/**
 * The same in another order each round, one way around and the other: nobody always comes after the one who leaves the
 * caches of the machine coldest.
 */
export const inTurn = <One>(all: readonly One[], round: number): One[] => {
  const first = Math.floor(round / 2) % all.length;
  const turned = [...all.slice(first), ...all.slice(0, first)];
  return round % 2 === 0 ? turned : turned.toReversed();
};
