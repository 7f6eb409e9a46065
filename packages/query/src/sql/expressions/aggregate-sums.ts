import { decimalOf, named, quotient } from './quotients.ts';

/** A call of one of the engine's functions over the rows of a group or a window; no lambda may hold one. */
export interface Run {
  (name: string, argument: string): string;
  /** Only rows whose arguments differ count. */
  readonly distinct: boolean;
}

/** Digits after the point of averages and variances of whole numbers. */
export const averageScale = 24;

/** The exact sum of whole numbers as 256 bits; 0 for none. */
export const wholeSum = (run: Run, sql: string): string =>
  `toInt256(ifNull(${run('sum', `toInt128(${sql})`)}, 0))`;

/** The exact sum of decimals in units of their last digit, as 256 bits. */
const unitSum = (run: Run, units: string): string => `ifNull(${run('sum', units)}, toInt256(0))`;

/** Decimals as 256 bits in units of their last digit. */
export const unitsOf = (sql: string): string => `reinterpretAsInt256(${sql})`;

/** NULL for groups without values. */
const ofSome = (run: Run, sql: string, value: string): string =>
  `if(${run('count', sql)} = 0, NULL, toNullable(${value}))`;

/** sum(bigint): a numeric without digits after the point. */
export const bigintSum = (run: Run, sql: string): string =>
  ofSome(run, sql, decimalOf(wholeSum(run, sql), 0));

/** Above it, a sum of very many values might leave 256 bits. */
const largestUnits = '1e66';
const noneTooLarge = (run: Run, sql: string, bound: string): string =>
  `ifNull(${run('max', `abs(toFloat64(${sql}))`)}, 0) < ${bound}`;

export function numericSum(run: Run, sql: string, scale: number): string {
  const sum = decimalOf(unitSum(run, unitsOf(sql)), scale);
  return `if(${noneTooLarge(run, unitsOf(sql), largestUnits)}, ${ofSome(run, sql, sum)}, NULL)`;
}

const atLeastOne = (run: Run, sql: string): string => `toInt256(greatest(${run('count', sql)}, 1))`;

export const wholeAverage = (run: Run, sql: string): string =>
  `if(${run('count', sql)} = 0, NULL, ${quotient(wholeSum(run, sql), atLeastOne(run, sql), 0, averageScale)})`;

export function numericAverage(run: Run, sql: string, scale: number): string {
  const average = quotient(
    unitSum(run, unitsOf(sql)),
    atLeastOne(run, sql),
    scale,
    Math.max(scale, averageScale),
  );
  return `if(${run('count', sql)} = 0 OR NOT (${noneTooLarge(run, unitsOf(sql), largestUnits)}), NULL, ${average})`;
}

export interface Spread {
  /** Of a sample, or of the whole population. */
  readonly sample: boolean;
  /** The standard deviation: the square root of the variance. */
  readonly root: boolean;
}

/** Variances of whole numbers and decimals, exact before the last rounding. */
export function exactSpread(
  run: Run,
  sql: string,
  scale: number | undefined,
  { sample, root }: Spread,
): string {
  const units = scale === undefined ? `toInt128(${sql})` : unitsOf(sql);
  const wide = `toInt256(${units})`;
  const count = atLeastOne(run, sql);
  const sum = unitSum(run, units);
  const squares = run.distinct
    ? `arraySum(arrayMap(u -> toInt256(u) * toInt256(u), ${run('groupArray', units)}))`
    : unitSum(run, `${wide} * ${wide}`);
  const numerator = `greatest(s_count * s_squares - s_sum * s_sum, toInt256(0))`;
  const denominator = sample ? 's_count * greatest(s_count - 1, toInt256(1))' : 's_count * s_count';
  const digits = 2 * (scale ?? 0);
  const value = named(
    { s_count: count, s_sum: `toInt256(${sum})`, s_squares: squares },
    quotient(numerator, denominator, digits, Math.max(digits, averageScale), root ? 'root' : undefined),
  );
  const tooFew = `${run('count', sql)} < ${sample ? '2' : '1'}`;
  const tooLarge =
    scale === undefined ? tooFew : `${tooFew} OR NOT (${noneTooLarge(run, unitsOf(sql), '1e27')})`;
  return `if(${tooLarge}, NULL, ${value})`;
}

/**
 * The sum of doubles as it would be without rounding, so that it does not depend on the order of rows: numbers of ordinary
 * size are summed in units of 2^-110, the few others one by one in their order. A double, 0 for none, not NULL.
 */
export function doubleSum(run: Run, sql: string): string {
  const size = `abs(${sql})`;
  const ordinary = `ifNull(${size} < 1e30 AND (${size} > 1e-16 OR ${sql} = 0), false)`;
  const units = `toInt256(if(${ordinary}, assumeNotNull(${sql}) * ${String(2 ** 110)}, 0))`;
  const rare = run('groupArray', `if(${ordinary}, NULL, ${sql})`);
  return `(toFloat64(${run('sum', units)}) / ${String(2 ** 110)} + arraySum(arraySort(${rare})))`;
}

/** A double, or NULL where only the calculation, not a value, went beyond what doubles hold. */
const unlessOverflown = (run: Run, sql: string, value: string): string =>
  named(
    { d_value: value, d_infinite: run('max', `ifNull(isInfinite(${sql}), 0)`) },
    'if(isInfinite(d_value) AND d_infinite = 0, NULL, toNullable(d_value))',
  );

export const doubleTotal = (run: Run, sql: string): string =>
  `if(${run('count', sql)} = 0, NULL, ${unlessOverflown(run, sql, doubleSum(run, sql))})`;

export const doubleAverage = (run: Run, sql: string): string =>
  `if(${run('count', sql)} = 0, NULL, ${unlessOverflown(run, sql, `${doubleSum(run, sql)} / greatest(${run('count', sql)}, 1)`)})`;
