/** How two lists of times differ. */
export interface Ranking {
  /** The probability that a time of the first list is above a time of the second; 0.5 if the lists are alike. */
  readonly superiority: number;
  /** Standard deviations from 0.5, by the normal approximation of the rank test of Mann and Whitney. */
  readonly deviations: number;
}

/** Compares two lists by ranks only, so the result does not depend on outliers or on the shape of the distributions. */
export const rank = (first: readonly number[], second: readonly number[]): Ranking => {
  const all = [
    ...first.map((time) => ({ time, isFirst: true })),
    ...second.map((time) => ({ time, isFirst: false })),
  ].toSorted((a, b) => a.time - b.time);
  let rankSum = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.time === all[from]?.time) to += 1;
    // Equal times share the mean of their ranks.
    const shared = (from + 1 + to) / 2;
    for (let at = from; at < to; at += 1) if (all[at]?.isFirst === true) rankSum += shared;
    from = to;
  }
  const [n, m] = [first.length, second.length];
  const above = rankSum - (n * (n + 1)) / 2;
  const spread = Math.sqrt((n * m * (n + m + 1)) / 12);
  return { superiority: above / (n * m), deviations: (above - (n * m) / 2) / spread };
};

/** The value below which this fraction of the list lies. */
export const quantile = (list: readonly number[], part: number): number => {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
};
