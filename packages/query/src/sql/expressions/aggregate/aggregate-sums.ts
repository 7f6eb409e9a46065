import { fromUnscaledInteger } from '../numeric/numeric-scale.ts';
import { letIn } from '../engine-sql.ts';
import {
  averageScaleOf,
  bigintAverage,
  averageScale,
  quotient,
  quotientScaleOf,
} from '../numeric/exact-quotients.ts';

/** Prints a call of an engine aggregate on the rows of a group or window. It must not be used inside a lambda. */
export interface RenderAggregateCall {
  (name: string, argument: string): string;
  /** Whether only distinct arguments count. */
  readonly distinct: boolean;
}

/** The exact sum of bigints as Int128; NULL without values. */
const bigintTotal = (run: RenderAggregateCall, sql: string): string => run('sum', `toInt128(${sql})`);

/** The exact sum of decimals as Int256, in units of their last digit. */
const unitSum = (run: RenderAggregateCall, units: string): string =>
  `ifNull(${run('sum', units)}, toInt256(0))`;

/** Decimals as Int256, in units of their last digit. */
const unitsOf = (sql: string): string => `reinterpretAsInt256(${sql})`;

/** Returns the value, or NULL for groups without values. */
const ofSome = (run: RenderAggregateCall, sql: string, value: string): string =>
  `if(${run('count', sql)} = 0, NULL, toNullable(${value}))`;

/** sum(bigint): a numeric of scale 0. */
export const bigintSum = (run: RenderAggregateCall, sql: string): string =>
  `toDecimal256(${bigintTotal(run, sql)}, 0)`;

/** A sum of many values above this size could exceed 256 bits. */
const largestUnits = '1e66';
const noneTooLarge = (run: RenderAggregateCall, sql: string, bound: string): string =>
  `ifNull(${run('max', `abs(toFloat64(${sql}))`)}, 0) < ${bound}`;

/** sum(numeric): exact; NULL without values, and if a value is so large that the sum could overflow. */
export function numericSum(run: RenderAggregateCall, sql: string, scale: number): string {
  const sum = fromUnscaledInteger(unitSum(run, unitsOf(sql)), scale);
  return `if(${noneTooLarge(run, unitsOf(sql), largestUnits)}, ${ofSome(run, sql, sum)}, NULL)`;
}

const atLeastOne = (run: RenderAggregateCall, sql: string): string => `greatest(${run('count', sql)}, 1)`;

/** Sums of smaller integer types fit 64 bits, which the engine adds much faster. */
const wholeTotal = (run: RenderAggregateCall, sql: string, isBigint: boolean): string =>
  isBigint ? bigintTotal(run, sql) : run('sum', sql);

/** avg of integers: a numeric, see `bigintAverage`. */
export const integerAverage = (run: RenderAggregateCall, sql: string, isBigint: boolean): string =>
  bigintAverage(wholeTotal(run, sql, isBigint), atLeastOne(run, sql));

/** The scale of an average of integers. */
export const integerAverageScale = (run: RenderAggregateCall, sql: string, isBigint: boolean): string =>
  averageScaleOf(wholeTotal(run, sql, isBigint), atLeastOne(run, sql));

/** The scale of an average of numerics that all have the same scale. */
export const numericAverageScale = (run: RenderAggregateCall, sql: string, scale: number): string =>
  quotientScaleOf(
    unitSum(run, unitsOf(sql)),
    `toInt256(${atLeastOne(run, sql)})`,
    scale,
    Math.max(scale, averageScale),
  );

export function numericAverage(run: RenderAggregateCall, sql: string, scale: number): string {
  const average = quotient(
    unitSum(run, unitsOf(sql)),
    `toInt256(${atLeastOne(run, sql)})`,
    scale,
    Math.max(scale, averageScale),
  );
  return `if(${run('count', sql)} = 0 OR NOT (${noneTooLarge(run, unitsOf(sql), largestUnits)}), NULL, ${average})`;
}

export interface VarianceKind {
  /** Whether the values are a sample and not the whole population. */
  readonly sample: boolean;
  /** Whether to return the standard deviation, the square root of the variance. */
  readonly root: boolean;
}

/** Compiles variances of integers and decimals. They are exact up to the final rounding. */
export function exactVariance(
  run: RenderAggregateCall,
  sql: string,
  scale: number | undefined,
  { sample, root }: VarianceKind,
): string {
  const units = scale === undefined ? `toInt128(${sql})` : unitsOf(sql);
  const wide = `toInt256(${units})`;
  const count = `toInt256(${atLeastOne(run, sql)})`;
  const sum = unitSum(run, units);
  const squares = run.distinct
    ? `arraySum(arrayMap(u -> toInt256(u) * toInt256(u), ${run('groupArray', units)}))`
    : unitSum(run, `${wide} * ${wide}`);
  const numerator = `greatest(s_count * s_squares - s_sum * s_sum, toInt256(0))`;
  const denominator = sample ? 's_count * greatest(s_count - 1, toInt256(1))' : 's_count * s_count';
  const digits = 2 * (scale ?? 0);
  const value = letIn(
    { s_count: count, s_sum: `toInt256(${sum})`, s_squares: squares },
    quotient(numerator, denominator, digits, Math.max(digits, averageScale), { root }),
  );
  const tooFew = `${run('count', sql)} < ${sample ? '2' : '1'}`;
  const tooLarge =
    scale === undefined ? tooFew : `${tooFew} OR NOT (${noneTooLarge(run, unitsOf(sql), '1e27')})`;
  return `if(${tooLarge}, NULL, ${value})`;
}

/**
 * The number of bits of a value that each of the three partial sums adds. A 64-bit sum then has room for 2^27 values.
 */
const partBits = 36;
/** The unit of the first part is 2^10. Each part has 36 bits, so the unit of the last part is 2^-62. */
const firstUnit = 2 ** 10;

/**
 * Compiles a sum of doubles with almost no rounding, so that it does not depend on the order of rows. Numbers of
 * ordinary size are split into three parts whose sums are integers. The few others are added one by one in sorted
 * order. The result is a double that is not NULL, and 0 without values.
 */
export function doubleSum(run: RenderAggregateCall, sql: string): string {
  if (run.distinct) return `arraySum(arraySort(${run('groupArray', sql)}))`;
  const ordinary = `ifNull(abs(${sql}) < 7e13 AND (abs(${sql}) > 7e-6 OR ${sql} = 0), false)`;
  const rare = run('groupArray', `if(${ordinary}, NULL, ${sql})`);
  const [first, second, third] = partsOf(`if(${ordinary}, assumeNotNull(${sql}), 0) / ${String(firstUnit)}`);
  const shift = `toInt256(${String(2 ** partBits)})`;
  const whole = `((${run('sum', first)} * ${shift} + ${run('sum', second)}) * ${shift} + ${run('sum', third)})`;
  const units = `(toFloat64(${whole}) / ${String(2 ** (2 * partBits))} * ${String(firstUnit)})`;
  return `(${units} + arraySum(arraySort(${rare})))`;
}

const next = (from: string, whole: string): string => `(${from} - ${whole}) * ${String(2 ** partBits)}`;

/** Splits a double into three integers: the part before the point, the next 36 bits, and the 36 bits after them. */
function partsOf(value: string): readonly [string, string, string] {
  const first = `toInt64(${value})`;
  const rest = next(value, first);
  const second = `toInt64(${rest})`;
  return [first, second, `toInt64(${next(rest, second)})`];
}

/** Returns NULL for an infinite result if no value is infinite, which means that the computation has overflowed. */
const unlessOverflown = (run: RenderAggregateCall, sql: string, value: string): string =>
  letIn(
    { d_value: value, d_infinite: run('max', `ifNull(isInfinite(${sql}), 0)`) },
    'if(isInfinite(d_value) AND d_infinite = 0, NULL, toNullable(d_value))',
  );

export const doubleTotal = (run: RenderAggregateCall, sql: string): string =>
  `if(${run('count', sql)} = 0, NULL, ${unlessOverflown(run, sql, doubleSum(run, sql))})`;

export const doubleAverage = (run: RenderAggregateCall, sql: string): string =>
  `if(${run('count', sql)} = 0, NULL, ${unlessOverflown(run, sql, `${doubleSum(run, sql)} / greatest(${run('count', sql)}, 1)`)})`;
