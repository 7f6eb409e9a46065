import { letIn } from '../engine-sql.ts';
import { quoteString } from '../../../storage/quoting.ts';
import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { toScalarType, engineType } from '../../types.ts';
import { intervalLiteral, parseIntervalLiteral } from './interval-texts.ts';
import { readDate, readTimestamp } from './parse-timestamps.ts';
import {
  toDate,
  dateLiteral,
  daysFromCalendar,
  isCalendarDay,
  microsOf,
  microsPerDay,
  timestampLiteral,
  toTimestampOrNull,
} from './timestamps.ts';
import type { CastRule, CastTarget } from '../function-rule.ts';

type Timestamp = 'timestamp' | 'timestamptz';

/** The year 2000, from which PostgreSQL counts time. It rounds fractions of seconds away from this point. */
const microsOf2000 = 946_684_800_000_000;

/** Rounds a timestamp to a number of digits of its seconds. */
function toDigits(sql: string, { secondsDigits }: CastTarget): string {
  if (secondsDigits === undefined || secondsDigits >= 6) return sql;
  const unit = 10 ** (6 - secondsDigits);
  return letIn(
    { d_micros: `${microsOf(sql)} - ${String(microsOf2000)}` },
    toTimestampOrNull(
      `(sign(d_micros) * intDiv(abs(d_micros) + ${String(unit / 2)}, ${String(unit)}) * ${String(unit)} + ${String(microsOf2000)})`,
    ),
  );
}

/** Matches ISO 8601 dates and times. Other texts become NULL. */
const isoForm = quoteString(
  String.raw`^\s*([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T\s]\s*([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2})(\.[0-9]*)?)?\s*(?:[zZ]|(?i:utc|gmt)|([+-])([0-9]{1,2})(?::?([0-9]{2}))?)?)?\s*$`,
);

const numberAt = (index: number): string => `toInt64(toUInt8OrZero(t_parts[${String(index)}]))`;

/**
 * Binds the parts of a text to names, so that they are extracted once. The names are short, because the engine parses
 * the statement at each run.
 */
const readParts = (text: string, body: string): string =>
  letIn(
    { t_parts: `extractGroups(ifNull(${text}, ''), ${isoForm})` },
    letIn(
      {
        t_year: 'toInt64(toUInt16OrZero(t_parts[1]))',
        t_month: numberAt(2),
        t_day: numberAt(3),
        t_hour: numberAt(4),
        t_minute: numberAt(5),
        t_second: numberAt(6),
        t_micro: `toInt64(round(toFloat64OrZero(concat('0', t_parts[7])) * 1000000))`,
        t_zone: `(${numberAt(9)} * 60 + ${numberAt(10)})`,
        t_fits: `notEmpty(t_parts) AND ${numberAt(9)} <= 15 AND ${numberAt(10)} < 60`,
        t_west: `t_parts[8] = '-'`,
      },
      letIn(
        {
          t_days: daysFromCalendar('t_year', 't_month', 't_day'),
          t_clock: '((t_hour * 3600 + t_minute * 60 + t_second) * 1000000 + t_micro)',
        },
        `if(t_fits AND ${isCalendarDay('t_year', 't_month', 't_day')} AND t_minute < 60 AND t_second <= 60 AND (t_hour < 24 OR t_clock = ${String(microsPerDay)}), ${body}, NULL)`,
      ),
    ),
  );

function timestampFromText(text: string, type: Timestamp): string {
  const zone = type === 'timestamptz' ? ' - if(t_west, -1, 1) * t_zone * 60000000' : '';
  const micros = `t_days * ${String(microsPerDay)} + t_clock${zone}`;
  return readParts(text, letIn({ t_micros: micros }, toTimestampOrNull('t_micros')));
}

const dateFromText = (text: string): string => readParts(text, `toNullable(${toDate('t_days')})`);

const timestamps: readonly Timestamp[] = ['timestamp', 'timestamptz'];

/** Adds the unit of the type to a number without a unit: `interval '2' day`. */
function ofUnit(value: Expression, unit: string): Expression {
  const text = (value.literal ?? '').trim();
  if (!/^[+-]?\d+$/.test(text))
    throw unsupportedSql(
      `the interval "${text}" cut to its ${unit}s`,
      value.at,
      `Write a whole number, as in interval '2' ${unit}.`,
    );
  return { ...value, literal: `${text} ${unit}` };
}

export const dateCasts: readonly CastRule[] = [
  { from: 'unknown', to: 'date', convert: (value) => dateLiteral(readDate(value), value.at) },
  {
    from: 'unknown',
    to: 'interval',
    convert: (value, { unit }) =>
      intervalLiteral(parseIntervalLiteral(unit === undefined ? value : ofUnit(value, unit)), value.at),
  },
  {
    from: 'interval',
    to: 'interval',
    convert: (_value, _target, at) => {
      throw unsupportedSql('the cast of an interval to some of its fields', at, 'Use extract or date_trunc.');
    },
  },
  {
    from: 'text',
    to: 'interval',
    convert: (_value, _target, at) => {
      throw unsupportedSql(
        'the cast of text to interval',
        at,
        "Write the interval as a literal, or multiply: n * interval '1 day'.",
      );
    },
  },
  { from: 'text', to: 'date', convert: ({ sql }) => dateFromText(sql) },
  ...timestamps.flatMap((type): CastRule[] => [
    {
      from: 'unknown',
      to: type,
      convert: (value, target) => {
        const literal = timestampLiteral(readTimestamp(value, type), type, value.at);
        return { ...literal, sql: toDigits(literal.sql, target) };
      },
    },
    { from: 'text', to: type, convert: ({ sql }, target) => toDigits(timestampFromText(sql, type), target) },
    { from: 'date', to: type, convert: ({ sql }) => `CAST(${sql} AS ${engineType(toScalarType(type))})` },
    { from: type, to: 'date', convert: ({ sql }) => `toDate32(${sql})` },
    ...timestamps.map((from): CastRule => ({
      from,
      to: type,
      convert: ({ sql }, target) => toDigits(sql, target),
    })),
  ]),
];
