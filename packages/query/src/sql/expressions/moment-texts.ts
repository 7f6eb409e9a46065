import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { calendarDays, isHeld, microsPerDay, monthLength } from './moments.ts';

/** What PostgreSQL takes besides dates that are written out: they mean the moment of the query, or no moment at all. */
const words = new Set([
  'now',
  'today',
  'tomorrow',
  'yesterday',
  'epoch',
  'infinity',
  '-infinity',
  'allballs',
]);

const isoForm =
  /^(\d{4,})-(\d{1,2})-(\d{1,2})(?:[T\s]\s*(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?)?\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)?)?$/i;

interface Moment {
  /** Since 1970, as the text says it. */
  readonly micros: bigint;
  /** How far the zone that it names is ahead of UTC. */
  readonly offset: bigint;
}

/**
 * Reads a literal as a moment.
 * @throws SqlFault for dates that are none, and for ways to write dates that are not offered
 */
function readMoment(value: Expression, type: string): Moment {
  const { at } = value;
  const text = (value.literal ?? '').trim();
  const match = isoForm.exec(text);
  if (match === null) {
    const known = words.has(text.toLowerCase()) || /\d/.test(text);
    throw known
      ? unsupported(`the ${type} "${text}" (write it as 2020-01-31 or 2020-01-31 12:00:00)`, at)
      : invalid(`invalid input syntax for type ${type}: "${text}"`, at);
  }
  const numbers = match.slice(1, 7).map((digits: string | undefined) => Number(digits ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const fraction = Math.round(Number(`0.${match[7] ?? ''}0`) * 1e6);
  const exists = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month);
  const onClock =
    minute < 60 && second <= 60 && (hour < 24 || (hour === 24 && minute + second + fraction === 0));
  if (!exists || !onClock) throw invalid(`date/time field value out of range: "${text}"`, at);
  if (year > 9999) throw unsupported(`the ${type} "${text}": a year after 9999`, at);
  const clock = BigInt(((hour * 60 + minute) * 60 + second) * 1e6 + fraction);
  return {
    micros: BigInt(calendarDays(year, month, day)) * BigInt(microsPerDay) + clock,
    offset: offsetOf(match[8], at),
  };
}

function offsetOf(zone: string | undefined, at: number): bigint {
  const match = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone ?? '');
  if (match === null) return 0n;
  const [, sign, hours = '0', minutes = '0'] = match;
  if (Number(hours) > 15 || Number(minutes) > 59)
    throw invalid(`time zone displacement out of range: "${zone ?? ''}"`, at);
  const size = BigInt(Number(hours) * 60 + Number(minutes)) * 60_000_000n;
  return sign === '-' ? -size : size;
}

/** Microseconds since 1970 that a literal means; a timestamp without zone passes over the zone of the text. */
export function readTimestamp(value: Expression, type: 'timestamp' | 'timestamptz'): bigint {
  const { micros, offset } = readMoment(value, type);
  const moment = type === 'timestamptz' ? micros - offset : micros;
  if (!isHeld(moment))
    throw unsupported(`the ${type} "${value.literal ?? ''}" outside the years 1 to 9999`, value.at);
  return moment;
}

/** Days since 1970 that a literal means; a time of day in it does not count. */
export function readDate(value: Expression): bigint {
  const { micros } = readMoment(value, 'date');
  const day = BigInt(microsPerDay);
  return (micros - (((micros % day) + day) % day)) / day;
}
