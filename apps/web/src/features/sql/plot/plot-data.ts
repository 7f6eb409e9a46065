export const plotKinds = ['bar', 'line', 'histogram'] as const;
export type PlotKind = (typeof plotKinds)[number];

/** The numbers of a plot, and of its table for screen readers. */
export interface PlotData {
  readonly labels: readonly string[];
  readonly values: readonly (number | null)[];
  /** The number of rows that are not part of the plot. */
  readonly left: number;
}

type Row = Readonly<Record<string, unknown>>;

/** The maximum number of bars or points; each row has one. */
export const maxPoints = 500;
const maxBins = 20;

const toNumber = (value: unknown): number | null => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
};

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return value === '' ? '""' : value;
  return JSON.stringify(value);
};

const rounded = (value: number): string => String(Number(value.toPrecision(4)));

const histogram = (rows: readonly Row[], column: string): PlotData => {
  const all = rows.map((row) => toNumber(row[column]));
  const numbers = all.filter((value) => value !== null);
  const left = all.length - numbers.length;
  if (numbers.length === 0) return { labels: [], values: [], left };
  let least = Infinity;
  let greatest = -Infinity;
  for (const value of numbers) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  const bins = least === greatest ? 1 : Math.min(maxBins, Math.ceil(Math.sqrt(numbers.length)));
  const width = (greatest - least) / bins;
  const values = Array.from({ length: bins }, () => 0);
  for (const value of numbers) {
    const bin = width === 0 ? 0 : Math.min(bins - 1, Math.floor((value - least) / width));
    values[bin] = (values[bin] ?? 0) + 1;
  }
  const labels = values.map((_count, at) =>
    width === 0 ? rounded(least) : `${rounded(least + at * width)} to ${rounded(least + (at + 1) * width)}`,
  );
  return { labels, values, left };
};

/**
 * Computes a plot of rows.
 * @param x the column of the labels; a histogram ignores it
 * @param y the column of the heights, or of the values that a histogram counts
 */
export const toPlotData = (kind: PlotKind, rows: readonly Row[], x: string, y: string): PlotData => {
  if (kind === 'histogram') return histogram(rows, y);
  const shown = rows.slice(0, maxPoints);
  return {
    labels: shown.map((row) => toText(row[x])),
    values: shown.map((row) => toNumber(row[y])),
    left: rows.length - shown.length,
  };
};
