import type { Expression } from '../expression.ts';
import { unsupported } from '../fault.ts';
import { intervalByLength, scalar, type ScalarTypeName } from '../types.ts';
import { intervalLiteral } from './interval-texts.ts';
import { dateWithin, daysOf, microsOf, microsPerDay, timestampWithin } from './moments.ts';
import { named } from './quotients.ts';
import type { FunctionRule } from './rule.ts';

/** Rules whose number of arguments is fixed read them by place. */
const two = ([first, second]: readonly Expression[]): readonly [Expression, Expression] => {
  if (first === undefined || second === undefined) throw new Error('Rules have their arguments counted.');
  return [first, second];
};

const rule = (
  name: string,
  parameters: readonly ScalarTypeName[],
  result: ScalarTypeName,
  emit: (first: Expression, second: Expression, at: number) => string | Expression,
): FunctionRule => ({
  name,
  parameters,
  result: scalar(result),
  emit: (args, at) => emit(...two(args), at),
});

/** The year and month of a timestamp as one count, to stay within the years that the engine holds. */
const addedMonths = (timestamp: string, months: number): string => {
  const count = `(toInt64(toYear(${timestamp})) * 12 + toMonth(${timestamp}) - 1 + ${String(months)})`;
  return `if(${count} BETWEEN 12 AND 119999, addMonths(${timestamp}, ${String(months)}), NULL)`;
};

/** A bound that keeps sums of microseconds within 64 bits. */
const longestInterval = '4000000000000000000';

const bounded = (micros: string): string =>
  `if(${micros} BETWEEN -${longestInterval} AND ${longestInterval}, ${micros}, NULL)`;

/** A timestamp and an interval: months first, then days and the rest. */
function shifted(timestamp: string, span: Expression, direction: 1 | -1): string {
  const { interval } = span;
  if (interval === undefined) {
    return timestampWithin(`(${microsOf(timestamp)} ${direction === 1 ? '+' : '-'} ${bounded(span.sql)})`);
  }
  const { months, days, micros } = interval;
  const rest = (BigInt(days) * BigInt(microsPerDay) + BigInt(micros)) * BigInt(direction);
  const moved = months === 0 ? timestamp : addedMonths(timestamp, months * direction);
  if (rest === 0n) return moved;
  return named({ m_moment: moved }, timestampWithin(`(${microsOf('m_moment')} + toInt64(${String(rest)}))`));
}

const firstMoment = (date: Expression): string => `CAST(${date.sql} AS Nullable(DateTime64(6, 'UTC')))`;

const shifts = (['timestamp', 'timestamptz'] as const).flatMap((type) => [
  rule('+', [type, 'interval'], type, (moment, span) => shifted(moment.sql, span, 1)),
  rule('+', ['interval', type], type, (span, moment) => shifted(moment.sql, span, 1)),
  rule('-', [type, 'interval'], type, (moment, span) => shifted(moment.sql, span, -1)),
  rule('-', [type, type], 'interval', (later, earlier, at) => ({
    sql: `(${microsOf(later.sql)} - ${microsOf(earlier.sql)})`,
    type: intervalByLength,
    at,
  })),
]);

const dates = [
  rule('+', ['date', 'interval'], 'timestamp', (date, span) => shifted(firstMoment(date), span, 1)),
  rule('+', ['interval', 'date'], 'timestamp', (span, date) => shifted(firstMoment(date), span, 1)),
  rule('-', ['date', 'interval'], 'timestamp', (date, span) => shifted(firstMoment(date), span, -1)),
  rule('+', ['date', 'integer'], 'date', (date, days) => dateWithin(`(${daysOf(date.sql)} + ${days.sql})`)),
  rule('+', ['integer', 'date'], 'date', (days, date) => dateWithin(`(${daysOf(date.sql)} + ${days.sql})`)),
  rule('-', ['date', 'integer'], 'date', (date, days) => dateWithin(`(${daysOf(date.sql)} - ${days.sql})`)),
  rule(
    '-',
    ['date', 'date'],
    'integer',
    (later, earlier) => `(${daysOf(later.sql)} - ${daysOf(earlier.sql)})`,
  ),
];

/** Intervals that are written out keep their months and days apart; all others are their length. */
function sum(first: Expression, second: Expression, direction: 1 | -1, at: number): string | Expression {
  const [a, b] = [first.interval, second.interval];
  if (a !== undefined && b !== undefined) {
    return intervalLiteral(
      {
        months: a.months + b.months * direction,
        days: a.days + b.days * direction,
        micros: a.micros + b.micros * direction,
      },
      at,
    );
  }
  return `(${bounded(first.sql)} ${direction === 1 ? '+' : '-'} ${bounded(second.sql)})`;
}

function product(span: Expression, factor: Expression, at: number): string | Expression {
  const times = Number(factor.literal ?? Number.NaN);
  if (span.interval !== undefined && Number.isSafeInteger(times)) {
    const { months, days, micros } = span.interval;
    const parts = { months: months * times || 0, days: days * times || 0, micros: micros * times || 0 };
    if (Object.values(parts).some((part) => !Number.isSafeInteger(part))) {
      throw unsupported('an interval of this length', at);
    }
    return intervalLiteral(parts, at);
  }
  return rounded(`toFloat64(${span.sql}) * ${factor.sql}`);
}

/** Microseconds out of a double, NULL where they are too many. */
const rounded = (micros: string): string =>
  named(
    { i_micros: micros },
    `if(abs(i_micros) < ${longestInterval}, accurateCastOrNull(round(i_micros), 'Int64'), NULL)`,
  );

const intervals = [
  rule('+', ['interval', 'interval'], 'interval', (a, b, at) => sum(a, b, 1, at)),
  rule('-', ['interval', 'interval'], 'interval', (a, b, at) => sum(a, b, -1, at)),
  rule('*', ['interval', 'double precision'], 'interval', (span, factor, at) => product(span, factor, at)),
  rule('*', ['double precision', 'interval'], 'interval', (factor, span, at) => product(span, factor, at)),
  rule('/', ['interval', 'double precision'], 'interval', (span, divisor) =>
    rounded(`toFloat64(${span.sql}) / nullIf(${divisor.sql}, 0)`),
  ),
];

const opposite: FunctionRule = {
  name: '-',
  parameters: ['interval'],
  result: scalar('interval'),
  emit: ([span], at) => {
    if (span === undefined) throw new Error('Rules have their arguments counted.');
    if (span.interval === undefined) return `negate(${span.sql})`;
    const { months, days, micros } = span.interval;
    return intervalLiteral({ months: -months || 0, days: -days || 0, micros: -micros || 0 }, at);
  },
};

/** Operators of dates, timestamps and intervals but comparisons. */
export const dateOperators: readonly FunctionRule[] = [...shifts, ...dates, ...intervals, opposite];
