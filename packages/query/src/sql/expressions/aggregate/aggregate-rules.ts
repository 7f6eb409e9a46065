import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import {
  arrayType,
  numericType,
  toScalarType,
  printType,
  type ScalarTypeName,
  type SqlType,
} from '../../types.ts';
import type { AggregateParts, AggregateRule } from './aggregate-call.ts';
import {
  doubleVariance,
  mode,
  pairCount,
  compilePairAggregate,
  pairAggregates,
  percentileCont,
  percentileDisc,
} from './aggregate-doubles.ts';
import { arrayAgg, jsonbAgg, stringAgg } from './aggregate-lists.ts';
import { averageInterval, totalInterval } from './aggregate-intervals.ts';
import {
  bigintSum,
  doubleAverage,
  doubleTotal,
  exactVariance,
  numericAverage,
  numericAverageScale,
  numericSum,
  integerAverage,
  integerAverageScale,
  type VarianceKind,
} from './aggregate-sums.ts';
import { scaleOf, displayScale } from '../numeric/numeric-scale.ts';
import { groupKey } from '../ordering.ts';
import { averageScale } from '../numeric/exact-quotients.ts';

const wholes = ['smallint', 'integer', 'bigint'] as const;
const double = toScalarType('double precision');
const typeOfFirst = ([first]: readonly [Expression, ...Expression[]]): SqlType => first.type;

/** Calls the engine function of this name on the unchanged argument. */
const plain =
  (engineName: string) =>
  ({ run, args }: AggregateParts): string =>
    run(engineName, args[0].sql);

const sums: AggregateRule[] = [
  { name: 'sum', parameters: ['smallint'], result: toScalarType('bigint'), emit: plain('sum') },
  { name: 'sum', parameters: ['integer'], result: toScalarType('bigint'), emit: plain('sum') },
  {
    name: 'sum',
    parameters: ['bigint'],
    result: numericType(0),
    emit: ({ run, args }) => bigintSum(run, args[0].sql),
  },
  {
    name: 'sum',
    parameters: ['numeric'],
    result: typeOfFirst,
    emit: ({ run, args }) => numericSum(run, args[0].sql, scaleOf(args[0])),
  },
  {
    name: 'sum',
    parameters: ['double precision'],
    result: double,
    emit: ({ run, args }) => doubleTotal(run, args[0].sql),
  },
  {
    name: 'sum',
    parameters: ['interval'],
    result: toScalarType('interval'),
    emit: ({ run, args }) => totalInterval(run, args[0].sql),
  },
];

const averages: AggregateRule[] = [
  ...wholes.map((type): AggregateRule => ({
    name: 'avg',
    parameters: [type],
    result: numericType(averageScale),
    emit: ({ run, args }) => integerAverage(run, args[0].sql, type === 'bigint'),
    rowScale: ({ run, args }) => integerAverageScale(run, args[0].sql, type === 'bigint'),
  })),
  {
    name: 'avg',
    parameters: ['numeric'],
    result: ([first]) => numericType(Math.max(scaleOf(first), averageScale)),
    emit: ({ run, args }) => numericAverage(run, args[0].sql, scaleOf(args[0])),
    rowScale: ({ run, args: [value] }) =>
      displayScale(value) === String(scaleOf(value))
        ? numericAverageScale(run, value.sql, scaleOf(value))
        : undefined,
  },
  {
    name: 'avg',
    parameters: ['double precision'],
    result: double,
    emit: ({ run, args }) => doubleAverage(run, args[0].sql),
  },
  {
    name: 'avg',
    parameters: ['interval'],
    result: toScalarType('interval'),
    emit: ({ run, args }) => averageInterval(run, args[0].sql),
  },
];

const spreads: Record<string, VarianceKind> = {
  stddev: { sample: true, root: true },
  stddev_samp: { sample: true, root: true },
  stddev_pop: { sample: false, root: true },
  variance: { sample: true, root: false },
  var_samp: { sample: true, root: false },
  var_pop: { sample: false, root: false },
};

const largestScale = 19;

const spreadRules = Object.entries(spreads).flatMap(([name, spread]): AggregateRule[] => [
  ...wholes.map((type): AggregateRule => ({
    name,
    parameters: [type],
    result: numericType(averageScale),
    emit: ({ run, args }) => exactVariance(run, args[0].sql, undefined, spread),
  })),
  {
    name,
    parameters: ['numeric'],
    result: ([first]) => numericType(Math.max(2 * scaleOf(first), averageScale)),
    emit: ({ run, args: [value], use }) => {
      const scale = scaleOf(value);
      if (scale > largestScale) {
        throw unsupportedSql(
          `${name} of a numeric with ${String(scale)} digits after the point`,
          use.at,
          'Round the values first, as in round(x, 6).',
        );
      }
      return exactVariance(run, value.sql, scale, spread);
    },
  },
  {
    name,
    parameters: ['double precision'],
    result: double,
    emit: ({ run, args }) => doubleVariance(run, args[0].sql, spread),
  },
]);

const comparable: readonly (ScalarTypeName | 'numeric')[] = [
  ...wholes,
  'numeric',
  'text',
  'date',
  'timestamp',
  'timestamptz',
  'interval',
];

/**
 * Compiles max and min of doubles. NaN is greater than all numbers. The order of rows does not decide whether 0 or
 * -0 is returned.
 */
const extremeOfDoubles =
  (name: 'max' | 'min') =>
  ({ run, args: [value] }: AggregateParts): string => {
    const { sql } = value;
    const number = run(name, `if(isNaN(${sql}), NULL, ${groupKey(value)})`);
    const unordered = run('countIf', `ifNull(isNaN(${sql}), false)`);
    const all = run('count', sql);
    return name === 'max'
      ? `if(${unordered} > 0, nan, ${number})`
      : `if(${unordered} > 0 AND ${unordered} = ${all}, nan, ${number})`;
  };

/**
 * Compiles max and min of timestamps, computed as integers. For a group without keys, the engine's own max treats
 * timestamps before 1970 as the latest ones when it merges the results of several threads.
 */
const extremeOfTimestamps =
  (name: 'max' | 'min') =>
  ({ run, args: [{ sql }] }: AggregateParts): string =>
    `fromUnixTimestamp64Micro(${run(name, `toUnixTimestamp64Micro(${sql})`)}, 'UTC')`;

const extremes = (['max', 'min'] as const).flatMap((name): AggregateRule[] => [
  ...comparable.map((type): AggregateRule => ({
    name,
    parameters: [type],
    result: typeOfFirst,
    emit: type === 'timestamp' || type === 'timestamptz' ? extremeOfTimestamps(name) : plain(name),
  })),
  { name, parameters: ['double precision'], result: typeOfFirst, emit: extremeOfDoubles(name) },
]);

const booleans = Object.entries({ bool_and: 'min', every: 'min', bool_or: 'max' }).map(
  ([name, engineName]): AggregateRule => ({
    name,
    parameters: ['boolean'],
    result: toScalarType('boolean'),
    emit: plain(engineName),
  }),
);

const bits = Object.entries({
  bit_and: 'groupBitAnd',
  bit_or: 'groupBitOr',
  bit_xor: 'groupBitXor',
}).flatMap(([name, engineName]) =>
  wholes.map((type): AggregateRule => ({
    name,
    parameters: [type],
    result: typeOfFirst,
    emit: plain(engineName),
  })),
);

const pairs = pairAggregates.map((name): AggregateRule => ({
  name,
  parameters: ['double precision', 'double precision'],
  result: double,
  emit: (parts) => compilePairAggregate(name, parts),
}));

const lists: AggregateRule[] = [
  {
    name: 'count',
    parameters: ['any'],
    result: toScalarType('bigint'),
    emit: ({ run, args: [{ sql, type }] }) => {
      if (type.name !== 'array') return run('count', sql);
      const isThere = `notEmpty(${sql})`;
      return run.distinct ? run('uniqExactIf', `${sql}, ${isThere}`) : run('countIf', isThere);
    },
  },
  {
    name: 'array_agg',
    parameters: ['typed'],
    result: ([{ type, at }]) => {
      if (type.name === 'array' || type.name === 'unknown')
        throw unsupportedSql(`array_agg of ${printType(type)}`, at, 'Cast the values to text first.');
      return arrayType(type);
    },
    emit: arrayAgg,
  },
  {
    name: 'jsonb_agg',
    parameters: ['typed'],
    result: ([{ type, at }]) => {
      if (type.name === 'array')
        throw unsupportedSql('jsonb_agg of arrays', at, 'Write jsonb_agg(to_jsonb(x)).');
      return toScalarType('jsonb');
    },
    emit: jsonbAgg,
  },
  { name: 'string_agg', parameters: ['text', 'text'], result: toScalarType('text'), emit: stringAgg },
  ...(['double precision', 'interval'] as const).map((type): AggregateRule => ({
    name: 'percentile_cont',
    parameters: ['double precision', type],
    withinGroup: true,
    result: toScalarType(type),
    emit: percentileCont,
  })),
  ...(['ordered', 'boolean'] as const).flatMap((type): AggregateRule[] => [
    {
      name: 'percentile_disc',
      parameters: ['double precision', type],
      withinGroup: true,
      result: ([, value]) => value?.type ?? double,
      emit: percentileDisc,
    },
    { name: 'mode', parameters: [type], withinGroup: true, result: typeOfFirst, emit: mode },
  ]),
  {
    name: 'regr_count',
    parameters: ['double precision', 'double precision'],
    result: toScalarType('bigint'),
    emit: pairCount,
  },
];

const refusedArrays = ['max', 'min'].map((name): AggregateRule => ({
  name,
  parameters: ['array'],
  result: typeOfFirst,
  emit: ({ use }) => {
    throw unsupportedSql(
      `${name} of arrays`,
      use.at,
      'Take the aggregate of their elements, which unnest gives.',
    );
  },
}));

export const aggregateRules: readonly AggregateRule[] = [
  ...sums,
  ...averages,
  ...spreadRules,
  ...extremes,
  ...booleans,
  ...bits,
  ...pairs,
  ...lists,
  ...refusedArrays,
];

/** PostgreSQL's aggregates that are not supported. */
export const unsupportedAggregates: ReadonlySet<string> = new Set([
  'json_agg',
  'json_object_agg',
  'jsonb_object_agg',
  'range_agg',
  'range_intersect_agg',
  'xmlagg',
]);
