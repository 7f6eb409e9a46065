/** About this many characters are fetched at once. */
const portionLength = 1_000_000;
const maxRows = 1000;

/** How many rows are fetched at once, so that long rows do not fill the memory. */
export const portionSize = {
  first: 10,
  /** @param longest the length of the longest row of the last portion */
  next: (longest: number): number =>
    Math.max(1, Math.min(maxRows, Math.floor(portionLength / Math.max(1, longest)))),
};
