/** The same in another order each round: nobody always comes after the one who leaves the machine's caches coldest. */
export const inTurn = <One>(all: readonly One[], round: number): One[] => {
  const first = round % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
};
