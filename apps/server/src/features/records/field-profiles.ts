import type { FieldProfile } from '@redoubt/contract';
import { comparable, literalFor, type StatementField } from '@redoubt/query/rows';

/** Maximum number of bars of a histogram. */
const maxBars = 20;

/** The count, the number of different values and the range of a field in a sample. */
export interface FieldMeasures {
  present: number;
  distinct: number;
  min: string | null;
  max: string | null;
}

/** The expressions that measure a column of a sample: count, different values, least and greatest as text. */
export const measureExpressions = (column: StatementField): string[] => {
  const { type } = column;
  const isOrdered = type !== 'jsonb' && type !== 'boolean';
  const value = comparable(column);
  const edge = (name: string): string => (isOrdered ? `left(${name}(${value})::text, 500)` : 'null');
  return [`count(${value})`, `count(DISTINCT ${value})`, edge('min'), edge('max')];
};

export const isMeasured = ({ type }: StatementField): boolean =>
  type === 'bigint' || type === 'numeric' || type === 'double precision' || type === 'timestamp';

/** The boundaries of the histogram's bars, as text of the type. The last one is above the greatest value. */
export const barEdges = ({ type }: StatementField, { min, max }: FieldMeasures): string[] => {
  if (min === null || max === null) return [];
  if (type === 'timestamp') {
    const [from, to] = [Date.parse(`${min.replace(' ', 'T')}Z`), Date.parse(`${max.replace(' ', 'T')}Z`)];
    return edgesBetween(from, to, true).map((ms) => new Date(ms).toISOString());
  }
  return edgesBetween(Number(min), Number(max), type === 'bigint').map(String);
};

const edgesBetween = (min: number, max: number, isWhole: boolean): number[] => {
  const from = isWhole ? Math.floor(min) : min;
  const width = (max - from) / maxBars;
  if (!Number.isFinite(from) || !Number.isFinite(width)) return [];
  const step = isWhole ? Math.max(1, Math.floor(width) + 1) : width;
  if (step === 0) return [from, nextAfter(from)];
  const bars = isWhole ? Math.floor((max - from) / step) + 1 : maxBars;
  const inner = Array.from({ length: bars }, (_, bar) => from + bar * step);
  const end = from + bars * step;
  const edges = [...inner, end > max ? end : nextAfter(max)];
  // Large floating-point numbers are so far apart that edges may coincide: then there are fewer bars.
  return edges.filter((edge, at) => at === 0 || edge > (edges[at - 1] ?? -Infinity));
};

/** A number greater than this one, and close to it. */
const nextAfter = (value: number): number =>
  value === 0 ? Number.MIN_VALUE : value + Math.abs(value) * Number.EPSILON * 2;

/** The number of the bar of a value; NULL for values that are in none. */
export const barExpression = (column: StatementField, edges: readonly string[]): string => {
  const cases = edges.slice(1).flatMap((edge, bar) => {
    const literal = literalFor(column, edge);
    return literal === undefined ? [] : [`WHEN ${comparable(column)} < ${literal} THEN ${String(bar)}`];
  });
  return `CASE ${cases.join(' ')} END`;
};

/** The bars of a histogram from the counts of its bars. */
export const barsOf = (
  edges: readonly string[],
  counts: readonly Readonly<Record<string, unknown>>[],
): NonNullable<FieldProfile['histogram']> => {
  const byBar = new Map(counts.map(({ bar, many }) => [String(bar), Number(many)]));
  return edges.slice(1).map((below, bar) => ({
    from: edges[bar] ?? below,
    below,
    count: byBar.get(String(bar)) ?? 0,
  }));
};
