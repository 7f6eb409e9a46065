import { letIn } from '../engine-sql.ts';
import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import type { AggregateParts } from './aggregate-call.ts';
import { doubleSum, type RenderAggregateCall, type VarianceKind } from './aggregate-sums.ts';
import { intervalSum, scaledInterval } from '../datetime/interval-arithmetic.ts';
import { groupKey, hasSeveralSpellings } from '../ordering.ts';

/**
 * Returns NULL for an infinite result of finite inputs, which PostgreSQL reports as overflow.
 */
const unlessOverflown = (value: string, finite: string): string =>
  letIn(
    { d_value: value, d_finite: finite },
    'if(isInfinite(d_value) AND d_finite, NULL, toNullable(d_value))',
  );

/** Compiles variances of doubles on the sorted list of values, so that they do not depend on the order of rows. */
export function doubleVariance(
  run: RenderAggregateCall,
  sql: string,
  { sample, root }: VarianceKind,
): string {
  const squares = 'arraySum(arrayMap(v -> (v - e_mean) * (v - e_mean), e_list))';
  const divisor = sample ? '(length(e_list) - 1)' : 'length(e_list)';
  const variance = `if(e_list[1] = e_list[-1] AND isFinite(e_list[1]), 0, ${squares} / ${divisor})`;
  const finite = 'isFinite(e_list[1]) AND isFinite(e_list[-1])';
  const value = unlessOverflown(root ? `sqrt(${variance})` : variance, finite);
  const least = sample ? '2' : '1';
  return letIn(
    {
      e_list: `arraySort(${run('groupArray', sql)})`,
      e_mean: `${doubleSum(run, sql)} / greatest(${run('count', sql)}, 1)`,
    },
    `if(length(e_list) < ${least}, NULL, ${value})`,
  );
}

/**
 * The formulas of statistics of two arguments (Y, X). Without rows or without variance, they give NULL or a fixed
 * value.
 */
const pairFormulas: Record<string, string> = {
  corr: 'if(c_xx = 0 OR c_yy = 0, NULL, c_xy / sqrt(c_xx * c_yy))',
  covar_pop: 'c_xy / c_count',
  covar_samp: 'if(c_count < 2, NULL, c_xy / (c_count - 1))',
  regr_avgx: 'c_x',
  regr_avgy: 'c_y',
  regr_intercept: 'if(c_xx = 0, NULL, c_y - c_x * c_xy / c_xx)',
  regr_r2: 'multiIf(c_xx = 0, NULL, c_yy = 0, 1, c_xy * c_xy / (c_xx * c_yy))',
  regr_slope: 'if(c_xx = 0, NULL, c_xy / c_xx)',
  regr_sxx: 'c_xx',
  regr_sxy: 'c_xy',
  regr_syy: 'c_yy',
};

export const pairAggregates = Object.keys(pairFormulas);

const mean = (place: string): string => `arraySum(arrayMap(t -> t.${place}, c_list)) / c_count`;
const spread = (a: string, b: string, meanOfA: string, meanOfB: string): string =>
  `arraySum(arrayMap(t -> (t.${a} - ${meanOfA}) * (t.${b} - ${meanOfB}), c_list))`;
const constant = (place: string): string =>
  `arrayMin(arrayMap(t -> t.${place}, c_list)) = arrayMax(arrayMap(t -> t.${place}, c_list))`;

/** Compiles statistics of pairs on the sorted list of pairs without NULL. */
export function compilePairAggregate(name: string, { run, args }: AggregateParts): string {
  const [y, x = y] = args;
  const both = `isNotNull(${y.sql}) AND isNotNull(${x.sql})`;
  const pairs = run('groupArrayIf', `tuple(assumeNotNull(${y.sql}), assumeNotNull(${x.sql})), ${both}`);
  const sums = letIn(
    {
      c_xx: `if(${constant('2')}, 0, ${spread('2', '2', 'c_x', 'c_x')})`,
      c_yy: `if(${constant('1')}, 0, ${spread('1', '1', 'c_y', 'c_y')})`,
      c_xy: `if(${constant('1')} OR ${constant('2')}, 0, ${spread('1', '2', 'c_y', 'c_x')})`,
    },
    unlessOverflown(pairFormulas[name] ?? 'NULL', 'isFinite(c_x) AND isFinite(c_y)'),
  );
  const means = letIn({ c_y: mean('1'), c_x: mean('2') }, sums);
  const some = letIn({ c_count: 'length(c_list)' }, `if(c_count = 0, NULL, ${means})`);
  return letIn({ c_list: `arraySort(${pairs})` }, some);
}

export function pairCount({ run, args }: AggregateParts): string {
  const [y, x = y] = args;
  return run('countIf', `isNotNull(${y.sql}) AND isNotNull(${x.sql})`);
}

/** The fraction of a percentile, which must be a constant. */
function fractionOf(e: Expression): string {
  if (typeof e.literal !== 'string') {
    throw unsupportedSql(
      'a percentile whose fraction is not a constant',
      e.at,
      'Write the fraction as a number, as in 0.5.',
    );
  }
  const fraction = Number(e.literal);
  if (e.literal.trim() === '' || Number.isNaN(fraction)) {
    throw invalidSql(`invalid input syntax for type double precision: "${e.literal}"`, e.at);
  }
  if (fraction < 0 || fraction > 1) {
    throw invalidSql(`percentile value ${e.literal} is not between 0 and 1`, e.at);
  }
  return String(fraction);
}

/** Compiles the values in the order of WITHIN GROUP, with equal values in the same notation. */
function inOrder({ run, orderBy }: AggregateParts, value: Expression): string {
  const one = hasSeveralSpellings(value.type) ? value.sql : groupKey(value);
  const sorted = `arraySort(${run('groupArray', one)})`;
  return orderBy[0]?.descending === true ? `arrayReverse(${sorted})` : sorted;
}

/** Compiles percentile_cont: the value at a fraction of the sorted list, interpolated between two neighbours. */
export function percentileCont(parts: AggregateParts): string {
  const [fraction, value = fraction] = parts.args;
  const position = `(${fractionOf(fraction)} * (length(p_list) - 1))`;
  const low = 'p_list[toInt64(floor(p_position)) + 1]';
  const high = 'p_list[toInt64(ceil(p_position)) + 1]';
  const part = '(p_position - floor(p_position))';
  const further =
    value.type.name === 'interval'
      ? intervalSum(scaledInterval(intervalSum(high, low, '-'), part, '*'), low, '+')
      : `${low} + ${part} * (${high} - ${low})`;
  const between = `if(floor(p_position) = ceil(p_position), ${low}, ${further})`;
  return letIn(
    { p_list: inOrder(parts, value) },
    `if(empty(p_list), NULL, ${letIn({ p_position: position }, `toNullable(${between})`)})`,
  );
}

/** Compiles percentile_disc: the first value whose position in the sorted list is at or after the fraction. */
export function percentileDisc(parts: AggregateParts): string {
  const [fraction, value = fraction] = parts.args;
  const place = `greatest(toInt64(ceil(${fractionOf(fraction)} * length(p_list))), 1)`;
  return letIn({ p_list: inOrder(parts, value) }, `if(empty(p_list), NULL, toNullable(p_list[${place}]))`);
}

/**
 * Compiles mode: the most frequent value. If several values are equally frequent, it is the first in the requested
 * order.
 */
export function mode(parts: AggregateParts): string {
  const [value] = parts.args;
  const most = 'indexOf(p_times, arrayMax(p_times))';
  const keys = hasSeveralSpellings(value.type)
    ? `arrayMap(p_one -> ${groupKey({ ...value, sql: 'p_one' })}, p_list)`
    : 'p_list';
  return letIn(
    { p_list: inOrder(parts, value) },
    letIn({ p_times: `arrayEnumerateUniq(${keys})` }, `if(empty(p_list), NULL, toNullable(p_list[${most}]))`),
  );
}
