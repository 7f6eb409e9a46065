/** A quantile of values: 0 gives the smallest value, 0.5 the median, 1 the largest. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new Error('There are no values.');
  return value;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const formatMilliseconds = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

export const formatCount = (value: number): string => Math.round(value).toLocaleString('en');
