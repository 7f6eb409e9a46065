import { quoteString } from '../../storage/quoting.ts';
import type { Expression } from '../expression.ts';
import { unsupported } from '../fault.ts';
import { scalar, engineType } from '../types.ts';
import { intervalLiteral, readInterval } from './interval-texts.ts';
import { readDate, readTimestamp } from './moment-texts.ts';
import {
  dateAt,
  dateLiteral,
  daysFromCalendar,
  isCalendarDay,
  microsOf,
  microsPerDay,
  timestampLiteral,
  timestampWithin,
} from './moments.ts';
import { named } from './quotients.ts';
import type { CastRule, CastTarget } from './rule.ts';

type Timestamp = 'timestamp' | 'timestamptz';

/** PostgreSQL counts from 2000 on, and rounds the digits of seconds away from there. */
const microsOf2000 = 946_684_800_000_000;

/** A timestamp with so many digits of its seconds. */
function toDigits(sql: string, { secondsDigits }: CastTarget): string {
  if (secondsDigits === undefined || secondsDigits >= 6) return sql;
  const unit = 10 ** (6 - secondsDigits);
  return named(
    { d_micros: `${microsOf(sql)} - ${String(microsOf2000)}` },
    timestampWithin(
      `(sign(d_micros) * intDiv(abs(d_micros) + ${String(unit / 2)}, ${String(unit)}) * ${String(unit)} + ${String(microsOf2000)})`,
    ),
  );
}

/** Dates and times written out as ISO 8601 has them; other texts are NULL. */
const isoForm = quoteString(
  String.raw`^\s*([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T\s]\s*([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2})(\.[0-9]*)?)?\s*(?:[zZ]|(?i:utc|gmt)|([+-])([0-9]{1,2})(?::?([0-9]{2}))?)?)?\s*$`,
);

const numberAt = (index: number): string => `toInt64(toUInt8OrZero(t_parts[${String(index)}]))`;
const yearPart = 'toInt64(toUInt16OrZero(t_parts[1]))';
const dayPart = daysFromCalendar(yearPart, numberAt(2), numberAt(3));
const isDay = `notEmpty(t_parts) AND ${isCalendarDay(yearPart, numberAt(2), numberAt(3))}`;
const secondPart = `(${numberAt(4)} * 3600 + ${numberAt(5)} * 60 + ${numberAt(6)})`;
const fractionPart = `toInt64(round(toFloat64OrZero(concat('0', t_parts[7])) * 1000000))`;
const isClock = `${numberAt(5)} < 60 AND ${numberAt(6)} <= 60 AND (${numberAt(4)} < 24 OR ${secondPart} + ${fractionPart} = 86400) AND ${numberAt(9)} <= 15 AND ${numberAt(10)} < 60`;
const offsetPart = `(if(t_parts[8] = '-', -1, 1) * (${numberAt(9)} * 60 + ${numberAt(10)}) * 60000000)`;

const readParts = (text: string, body: string): string =>
  named({ t_parts: `extractGroups(ifNull(${text}, ''), ${isoForm})` }, body);

function timestampFromText(text: string, type: Timestamp): string {
  const clock = `${secondPart} * 1000000 + ${fractionPart}`;
  const micros = `(${dayPart} * ${String(microsPerDay)} + ${clock}${type === 'timestamptz' ? ` - ${offsetPart}` : ''})`;
  return readParts(text, `if(${isDay} AND ${isClock}, ${timestampWithin(micros)}, NULL)`);
}

const dateFromText = (text: string): string =>
  readParts(text, `if(${isDay} AND ${isClock}, toNullable(${dateAt(dayPart)}), NULL)`);

const timestamps: readonly Timestamp[] = ['timestamp', 'timestamptz'];

/** A bare number counts the unit that is named: `interval '2' day`. */
function ofUnit(value: Expression, unit: string): Expression {
  const text = (value.literal ?? '').trim();
  if (!/^[+-]?\d+$/.test(text)) throw unsupported(`the interval "${text}" cut to its ${unit}s`, value.at);
  return { ...value, literal: `${text} ${unit}` };
}

export const dateCasts: readonly CastRule[] = [
  { from: 'unknown', to: 'date', convert: (value) => dateLiteral(readDate(value), value.at) },
  {
    from: 'unknown',
    to: 'interval',
    convert: (value, { unit }) =>
      intervalLiteral(readInterval(unit === undefined ? value : ofUnit(value, unit)), value.at),
  },
  {
    from: 'interval',
    to: 'interval',
    convert: (_value, _target, at) => {
      throw unsupported('the cast of an interval to some of its fields', at);
    },
  },
  {
    from: 'text',
    to: 'interval',
    convert: (_value, _target, at) => {
      throw unsupported('the cast of text to interval', at);
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
    { from: 'date', to: type, convert: ({ sql }) => `CAST(${sql} AS ${engineType(scalar(type))})` },
    { from: type, to: 'date', convert: ({ sql }) => `toDate32(${sql})` },
    ...timestamps.map((from): CastRule => ({
      from,
      to: type,
      convert: ({ sql }, target) => toDigits(sql, target),
    })),
  ]),
];
