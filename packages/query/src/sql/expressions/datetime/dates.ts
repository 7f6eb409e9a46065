import { letIn } from '../engine-sql.ts';
import type { Expression } from '../../expression.ts';
import { toScalarType } from '../../types.ts';
import { ageBetween } from './age.ts';
import { datePartRules } from './date-parts.ts';
import { compileToChar } from './to-char.ts';
import { justifiedDays, justifiedHours, justifiedInterval } from './interval-arithmetic.ts';
import { intervalKey, monthsOf } from './interval-values.ts';
import {
  calendarDays,
  toDate,
  dateLiteral,
  daysFromCalendar,
  isCalendarDay,
  microsOf,
  microsPerDay,
  timestampLiteral,
  toTimestampOrNull,
} from './timestamps.ts';
import { compileToDate } from './to-date.ts';
import { unsupportedFunction } from '../unsupported.ts';
import type { FunctionRule } from '../function-rule.ts';
import { zoneFunctions, requireZoneOrOffset } from './time-zones.ts';
import { localToUtc } from './zoned-timestamps.ts';

/** Compiles now() and similar functions, which return the same time everywhere in a statement. */
export function compileCurrentTimestamp(
  type: 'date' | 'timestamp' | 'timestamptz',
  now: Date,
  at: number,
): Expression {
  if (type !== 'date') return timestampLiteral(BigInt(now.getTime()) * 1000n, type, at);
  return dateLiteral(BigInt(calendarDays(now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate())), at);
}

const argument = (args: readonly Expression[], index: number): Expression => {
  const found = args[index];
  if (found === undefined) throw new Error('Rules have their arguments counted.');
  return found;
};

const anyNull = (args: readonly Expression[]): string => args.map(({ sql }) => `isNull(${sql})`).join(' OR ');

/** make_date: NULL for an invalid date. */
const madeDate: FunctionRule = {
  name: 'make_date',
  parameters: ['integer', 'integer', 'integer'],
  result: toScalarType('date'),
  emit: (args) => {
    const [year, month, day] = ['m_year', 'm_month', 'm_day'] as const;
    const made = `if(${isCalendarDay(year, month, day)}, ${toDate(daysFromCalendar(year, month, day))}, NULL)`;
    const values = {
      m_year: argument(args, 0).sql,
      m_month: argument(args, 1).sql,
      m_day: argument(args, 2).sql,
    };
    return letIn(values, made);
  },
};

const clockParameters = ['integer', 'integer', 'integer', 'integer', 'integer', 'double precision'] as const;

/** The timestamp of a year, month, day, hour, minute and second; NULL if they are invalid. */
function timeOfNumbers(args: readonly Expression[]): string {
  const names = ['m_year', 'm_month', 'm_day', 'm_hour', 'm_minute', 'm_second'];
  const values = Object.fromEntries(
    names.map((each, index): [string, string] => [each, argument(args, index).sql]),
  );
  const second = 'toInt64(round(if(m_second >= 0 AND m_second <= 60, m_second, 0) * 1000000))';
  const clock = `(m_hour * 3600000000 + m_minute * 60000000 + ${second})`;
  const fits = `m_hour BETWEEN 0 AND 24 AND m_minute BETWEEN 0 AND 59 AND m_second >= 0 AND m_second <= 60 AND ${clock} <= ${String(microsPerDay)}`;
  const micros = `(${daysFromCalendar('m_year', 'm_month', 'm_day')} * ${String(microsPerDay)} + ${clock})`;
  return letIn(
    values,
    `if(${isCalendarDay('m_year', 'm_month', 'm_day')} AND ${fits}, ${toTimestampOrNull(micros)}, NULL)`,
  );
}

const madeTimestamps: readonly FunctionRule[] = [
  {
    name: 'make_timestamp',
    parameters: clockParameters,
    result: toScalarType('timestamp'),
    emit: timeOfNumbers,
  },
  {
    name: 'make_timestamptz',
    parameters: clockParameters,
    result: toScalarType('timestamptz'),
    emit: timeOfNumbers,
  },
  {
    name: 'make_timestamptz',
    parameters: [...clockParameters, 'text'],
    result: toScalarType('timestamptz'),
    emit: (args) => localToUtc(timeOfNumbers(args), requireZoneOrOffset(argument(args, 6))),
  },
];

/** to_timestamp of a number. As in PostgreSQL, the computation uses doubles of seconds since 2000. */
const fromSeconds: FunctionRule = {
  name: 'to_timestamp',
  parameters: ['double precision'],
  result: toScalarType('timestamptz'),
  emit: (args) =>
    letIn(
      { s_seconds: argument(args, 0).sql },
      `if(abs(s_seconds) < 1e12, ${toTimestampOrNull('(toInt64(round((if(abs(s_seconds) < 1e12, s_seconds, 0) - 946684800) * 1000000)) + 946684800000000)')}, NULL)`,
    ),
};

const binned = (['timestamp', 'timestamptz'] as const).map((type): FunctionRule => ({
  name: 'date_bin',
  parameters: ['interval', type, type],
  result: toScalarType(type),
  emit: (args) => {
    const values = {
      b_moment: microsOf(argument(args, 1).sql),
      b_origin: microsOf(argument(args, 2).sql),
    };
    const into = 'positiveModulo(b_moment - b_origin, greatest(ifNull(b_stride, 1), 1))';
    return letIn(
      { b_span: argument(args, 0).sql },
      letIn(
        { b_months: monthsOf('b_span'), b_stride: `toInt64(${intervalKey('b_span')})`, ...values },
        `if(b_months = 0 AND b_stride > 0, ${toTimestampOrNull(`(b_moment - ${into})`)}, NULL)`,
      ),
    );
  },
}));

const toChar = (['timestamp', 'timestamptz'] as const).map((type): FunctionRule => ({
  name: 'to_char',
  parameters: [type, 'text'],
  result: toScalarType('text'),
  emit: (args) => {
    const moment = argument(args, 0);
    return letIn(
      { f_moment: moment.sql },
      `if(isNull(f_moment), NULL, toNullable(${compileToChar('assumeNotNull(f_moment)', argument(args, 1))}))`,
    );
  },
}));

const patternReaders = (
  [
    ['to_date', 'date'],
    ['to_timestamp', 'timestamptz'],
  ] as const
).map(([name, type]): FunctionRule => ({
  name,
  parameters: ['text', 'text'],
  result: toScalarType(type),
  emit: (args) => compileToDate(argument(args, 0).sql, argument(args, 1), { type, name }),
}));

const finite = (['date', 'timestamp', 'timestamptz', 'interval'] as const).map((type): FunctionRule => ({
  name: 'isfinite',
  parameters: [type],
  result: toScalarType('boolean'),
  emit: (args) => `if(${anyNull(args)}, NULL, true)`,
}));

const justified = Object.entries({
  justify_hours: justifiedHours,
  justify_days: justifiedDays,
  justify_interval: justifiedInterval,
}).map(([name, justify]): FunctionRule => ({
  name,
  parameters: ['interval'],
  result: toScalarType('interval'),
  emit: (args) => justify(argument(args, 0).sql),
}));

const ages = (['timestamp', 'timestamptz'] as const).map((type): FunctionRule => ({
  name: 'age',
  parameters: [type, type],
  result: toScalarType('interval'),
  emit: (args) => ageBetween(argument(args, 0).sql, argument(args, 1).sql),
}));

/** Overloads of to_char that are not supported. */
const unsupportedDates: readonly FunctionRule[] = [
  unsupportedFunction('to_char', 'interval', 'text'),
  ...(['numeric', 'integer', 'bigint', 'double precision'] as const).map((type) =>
    unsupportedFunction('to_char', type, 'text'),
  ),
];

export const dateFunctions: readonly FunctionRule[] = [
  madeDate,
  ...madeTimestamps,
  fromSeconds,
  ...zoneFunctions,
  ...binned,
  ...toChar,
  ...patternReaders,
  ...finite,
  ...justified,
  ...ages,
  ...datePartRules,
  ...unsupportedDates,
];
