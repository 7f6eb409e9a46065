import { letIn } from '../engine-sql.ts';
import type { Expression } from '../../expression.ts';
import { toScalarType, type ScalarTypeName } from '../../types.ts';
import { intervalSum, negateInterval, scaledInterval } from './interval-arithmetic.ts';
import { intervalOfMicros, bindIntervalParts, type IntervalParts } from './interval-values.ts';
import {
  calendarMonths,
  toDateOrNull,
  daysOf,
  microsOf,
  microsPerDay,
  microsPerSecond,
  signed,
  toTimestampOrNull,
} from './timestamps.ts';
import type { FunctionRule } from '../function-rule.ts';

/** Returns the two arguments of a rule with exactly two. */
const two = ([first, second]: readonly Expression[]): readonly [Expression, Expression] => {
  if (first === undefined || second === undefined) throw new Error('Rules have their arguments counted.');
  return [first, second];
};

const rule = (
  name: string,
  parameters: readonly ScalarTypeName[],
  result: ScalarTypeName,
  emit: (first: Expression, second: Expression) => string,
): FunctionRule => ({
  name,
  parameters,
  result: toScalarType(result),
  emit: (args) => emit(...two(args)),
});

/**
 * Adds months to a timestamp; NULL if `count`, the months from the year 0 to the result, is outside the years of the
 * engine. The fraction of the second is removed first and added at the end, because the engine (chdb 3.4.0) treats
 * 1969-11-30 23:59:59.5 as the next day.
 */
const addedMonths = (timestamp: string, months: string): string => {
  const count = `(${calendarMonths(timestamp)} + ${months})`;
  const part = `positiveModulo(${microsOf(timestamp)}, ${signed(microsPerSecond)})`;
  const moved = `addMicroseconds(addMonths(subtractMicroseconds(${timestamp}, ${part}), ${months}), ${part})`;
  return `if(${count} BETWEEN 12 AND 119999, ${moved}, NULL)`;
};

/** Adds microseconds to a timestamp. The sum may exceed 64 bits. */
const later = (timestamp: string, micros: string): string =>
  letIn({ m_micros: `toInt128(${microsOf(timestamp)}) + ${micros}` }, toTimestampOrNull('m_micros'));

/** Adds an interval to a timestamp: first its months, then its days and time. */
function shifted(timestamp: string, span: Expression, sign: '+' | '-'): string {
  return span.interval === undefined
    ? shiftedBy(timestamp, span.sql, sign)
    : shiftedByLiteral(timestamp, span.interval, sign === '+' ? 1 : -1);
}

const shiftedBy = (timestamp: string, span: string, sign: '+' | '-'): string =>
  bindIntervalParts('s', span, ({ months, days, micros }) => {
    const signedMonths = sign === '+' ? months : `-${months}`;
    return letIn(
      { s_from: timestamp },
      letIn(
        { s_moved: `if(${months} = 0, s_from, ${addedMonths('s_from', `(${signedMonths})`)})` },
        later('s_moved', `(${sign}(toInt128(${days}) * ${String(microsPerDay)} + ${micros}))`),
      ),
    );
  });

function shiftedByLiteral(timestamp: string, span: IntervalParts, direction: 1 | -1): string {
  const { months, days, micros } = span;
  const rest = (BigInt(days) * BigInt(microsPerDay) + BigInt(micros)) * BigInt(direction);
  const moved =
    months === 0
      ? timestamp
      : letIn({ s_from: timestamp }, addedMonths('s_from', `(${String(months * direction)})`));
  if (rest === 0n) return moved;
  if (BigInt.asIntN(62, rest) !== rest) return later(moved, `toInt128('${String(rest)}')`);
  return letIn(
    { m_moment: moved },
    toTimestampOrNull(`(${microsOf('m_moment')} + toInt64(${String(rest)}))`),
  );
}

const firstMoment = (date: Expression): string => `CAST(${date.sql} AS Nullable(DateTime64(6, 'UTC')))`;

const shifts = (['timestamp', 'timestamptz'] as const).flatMap((type) => [
  rule('+', [type, 'interval'], type, (moment, span) => shifted(moment.sql, span, '+')),
  rule('+', ['interval', type], type, (span, moment) => shifted(moment.sql, span, '+')),
  rule('-', [type, 'interval'], type, (moment, span) => shifted(moment.sql, span, '-')),
  rule('-', [type, type], 'interval', (end, start) =>
    intervalOfMicros(`(${microsOf(end.sql)} - ${microsOf(start.sql)})`),
  ),
]);

const dates = [
  rule('+', ['date', 'interval'], 'timestamp', (date, span) => shifted(firstMoment(date), span, '+')),
  rule('+', ['interval', 'date'], 'timestamp', (span, date) => shifted(firstMoment(date), span, '+')),
  rule('-', ['date', 'interval'], 'timestamp', (date, span) => shifted(firstMoment(date), span, '-')),
  rule('+', ['date', 'integer'], 'date', (date, days) => toDateOrNull(`(${daysOf(date.sql)} + ${days.sql})`)),
  rule('+', ['integer', 'date'], 'date', (days, date) => toDateOrNull(`(${daysOf(date.sql)} + ${days.sql})`)),
  rule('-', ['date', 'integer'], 'date', (date, days) => toDateOrNull(`(${daysOf(date.sql)} - ${days.sql})`)),
  rule('-', ['date', 'date'], 'integer', (end, start) => `(${daysOf(end.sql)} - ${daysOf(start.sql)})`),
];

const intervals = [
  rule('+', ['interval', 'interval'], 'interval', (a, b) => intervalSum(a.sql, b.sql, '+')),
  rule('-', ['interval', 'interval'], 'interval', (a, b) => intervalSum(a.sql, b.sql, '-')),
  rule('*', ['interval', 'double precision'], 'interval', (a, b) => scaledInterval(a.sql, b.sql, '*')),
  rule('*', ['double precision', 'interval'], 'interval', (a, b) => scaledInterval(b.sql, a.sql, '*')),
  rule('/', ['interval', 'double precision'], 'interval', (a, b) => scaledInterval(a.sql, b.sql, '/')),
];

const opposite: FunctionRule = {
  name: '-',
  parameters: ['interval'],
  result: toScalarType('interval'),
  emit: ([span]) => {
    if (span === undefined) throw new Error('Rules have their arguments counted.');
    return negateInterval(span.sql);
  },
};

/** The operators of dates, timestamps and intervals, without comparisons. */
export const dateOperators: readonly FunctionRule[] = [...shifts, ...dates, ...intervals, opposite];
