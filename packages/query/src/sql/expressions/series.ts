import { letIn } from './engine-sql.ts';
import type { Expression } from '../expression.ts';
import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { engineType, toScalarType } from '../types.ts';
import type { IntervalParts } from './datetime/interval-values.ts';
import {
  calendarMonths,
  daysFromCalendar,
  daysOfMonth,
  microsOf,
  microsPerDay,
  signed,
  toTimestamp,
} from './datetime/timestamps.ts';
import { unsupportedFunction } from './unsupported.ts';
import type { FunctionRule } from './function-rule.ts';

// `generate_series`, compiled to an array of its rows. The array is empty if an argument is NULL.

/** More rows than fit in the memory of any query, so that a series with this many rows exceeds the memory limit. */
const maxRows = '400000000';

/** The number of values from 0 to `span` inclusive: Int128. */
const countOf = (span: string, step: string): string =>
  `if(${span} * sign(${step}) < 0, 0, least(intDivOrZero(${span}, ${step}) + 1, ${maxRows}))`;

const none = (args: readonly Expression[]): string => args.map(({ sql }) => `isNull(${sql})`).join(' OR ');

const literalStep = ({ literal, at }: Expression): void => {
  if (typeof literal === 'string' && Number(literal) === 0)
    throw invalidSql('step size cannot equal zero', at);
};

const wholes = (type: 'bigint' | 'integer', withStep: boolean): FunctionRule => ({
  name: 'generate_series',
  parameters: withStep ? [type, type, type] : [type, type],
  result: toScalarType(type),
  emit: (args) => {
    const [start, end, step] = args;
    if (step !== undefined) literalStep(step);
    const values = {
      s_start: `toInt128(ifNull(${start?.sql ?? ''}, 0))`,
      s_end: `toInt128(ifNull(${end?.sql ?? ''}, 0))`,
      s_step: `toInt128(ifNull(${step?.sql ?? '1'}, 0))`,
    };
    const list = `arrayMap(n -> tuple(toNullable(toInt64(s_start + n * s_step))), range(toUInt64(${countOf('(s_end - s_start)', 's_step')})))`;
    return letIn(values, `if(${none(args)} OR s_step = 0, [], ${list})`);
  },
});

/** Steps of a constant length. */
const byLength = (length: bigint): string => {
  const step = `toInt128('${String(length)}')`;
  const value = `toInt64(s_start + n * ${step})`;
  return `arrayMap(n -> ${value}, range(toUInt64(${countOf('(toInt128(s_end) - s_start)', step)})))`;
};

/**
 * Steps of months. Each step starts from the previous value: a day that a month does not have becomes the last day of
 * that month, and later values do not return to the original day.
 */
const byMonths = (months: number): string => {
  const [year, month] = ['intDiv(c, 12)', '(c % 12 + 1)'];
  const lengths = `arrayMap(c -> toInt64(${daysOfMonth(year, month)}), s_months)`;
  const days = `arrayReduceInRanges('min', arrayMap(n -> (1, n), arrayEnumerate(s_months)), ${lengths})`;
  const start = `(${daysFromCalendar(year, month, '1')} - 1)`;
  const moment = `(${start} + least(s_day, d)) * ${signed(microsPerDay)} + s_time`;
  const inside = months > 0 ? 'v <= s_end' : 'v >= s_end';
  const step = `toInt128(${String(months)})`;
  const count = countOf('(toInt128(s_last) - s_first)', step);
  return letIn(
    {
      s_first: calendarMonths(toTimestamp('s_start')),
      s_last: calendarMonths(toTimestamp('s_end')),
      s_day: `toInt64(toDayOfMonth(${toTimestamp('s_start')}))`,
      s_time: `positiveModulo(s_start, ${signed(microsPerDay)})`,
    },
    letIn(
      { s_months: `arrayMap(n -> s_first + n * ${String(months)}, range(toUInt64(${count})))` },
      `arrayFilter(v -> ${inside}, arrayMap((c, d) -> ${moment}, s_months, ${days}))`,
    ),
  );
};

function stepsOf({ months, days, micros }: IntervalParts, at: number): string {
  const length = BigInt(days) * BigInt(microsPerDay) + BigInt(micros);
  if (months === 0 && length === 0n) throw invalidSql('step size cannot equal zero', at);
  if (months === 0) return byLength(length);
  if (length !== 0n)
    throw unsupportedSql(
      'generate_series by months together with days or hours',
      at,
      'Use a step of months or one of days and hours.',
    );
  return byMonths(months);
}

const moments = (type: 'timestamp' | 'timestamptz'): FunctionRule => ({
  name: 'generate_series',
  parameters: [type, type, 'interval'],
  result: toScalarType(type),
  emit: ([start, end, step]) => {
    if (start === undefined || end === undefined || step === undefined)
      throw new Error('Rules have their arguments counted.');
    if (step.literal === null) return `CAST([] AS Array(Tuple(${engineType(toScalarType(type))})))`;
    if (step.interval === undefined)
      throw unsupportedSql(
        'a step of generate_series that is not a constant',
        step.at,
        "Write the step as a literal, as in interval '1 day'.",
      );
    const values = {
      s_start: `ifNull(${microsOf(start.sql)}, 0)`,
      s_end: `ifNull(${microsOf(end.sql)}, 0)`,
    };
    const list = `arrayMap(v -> tuple(toNullable(${toTimestamp('v')})), ${stepsOf(step.interval, step.at)})`;
    return letIn(values, `if(${none([start, end])}, [], ${list})`);
  },
});

export const seriesRules: readonly FunctionRule[] = [
  wholes('integer', false),
  wholes('integer', true),
  wholes('bigint', false),
  wholes('bigint', true),
  unsupportedFunction('generate_series', 'numeric', 'numeric'),
  unsupportedFunction('generate_series', 'numeric', 'numeric', 'numeric'),
  moments('timestamp'),
  moments('timestamptz'),
];
