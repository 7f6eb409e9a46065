import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { fixedZone, type ZoneChanges } from '../../zones/zone-changes.ts';
import { findTimeZone } from '../../zones/zone-names.ts';
import {
  calendarDays,
  isInSupportedRange,
  microsPerDay,
  microsPerSecond,
  monthLength,
} from './timestamps.ts';
import { roundHalfEven } from '../numeric/rounding.ts';
import { parseUtcOffset, requireTimeZoneByName } from './time-zones.ts';
import { localMicrosToUtc } from './zoned-timestamps.ts';

/** Words that PostgreSQL accepts as dates: times relative to the query, and infinity. */
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

/** Matches a date, an optional time, and an optional zone name or UTC offset. */
const isoForm =
  /^(\d{4,})-(\d{1,2})-(\d{1,2})(?:[T\s]\s*(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?)?(?:\s*([+-]\d{1,2}(?::?\d{2})?))?)?(?:\s*([a-z]+(?:\/[a-z0-9_+/-]+)?))?$/i;

/** The maximum length of a date or timestamp literal. */
const longest = 128;

interface ParsedTimestamp {
  /** Days since 1970. */
  readonly days: bigint;
  /** Seconds of the day, and microseconds of the second, which can be a whole second after rounding up. */
  readonly seconds: bigint;
  readonly fraction: bigint;
  /** The zone in the text; UTC if there is none. */
  readonly zone: ZoneChanges;
}

/**
 * Parses a date or timestamp literal.
 * @throws SqlCompileError for invalid dates and for unsupported notations
 */
function parseTimestampParts(value: Expression, type: string): ParsedTimestamp {
  const { at } = value;
  const text = (value.literal ?? '').trim();
  const match = text.length > longest ? null : isoForm.exec(text);
  const zone = match === null ? undefined : zoneOfText(match[8], match[9], at);
  if (match === null || zone === undefined) {
    const known = words.has(text.toLowerCase()) || /\d/.test(text);
    const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
    throw known
      ? unsupportedSql(`the ${type} "${shown}"`, at, 'Write it as 2020-01-31 or 2020-01-31 12:00:00.')
      : invalidSql(`invalid input syntax for type ${type}: "${shown}"`, at);
  }
  const numbers = match.slice(1, 7).map((digits: string | undefined) => Number(digits ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const fraction = roundHalfEven(Number(`0.${match[7] ?? ''}0`) * 1e6);
  const exists = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month);
  const onClock =
    minute < 60 && second <= 60 && (hour < 24 || (hour === 24 && minute + second + fraction === 0));
  if (!exists || !onClock) throw invalidSql(`date/time field value out of range: "${text}"`, at);
  if (year > 9999)
    throw unsupportedSql(`the ${type} "${text}" with a year after 9999`, at, 'Use a year from 1 to 9999.');
  return {
    days: BigInt(calendarDays(year, month, day)),
    seconds: BigInt((hour * 60 + minute) * 60 + second),
    fraction: BigInt(fraction),
    zone,
  };
}

/** The zone at the end of a text; undefined if it is unknown, or if there are both a name and an offset. */
function zoneOfText(
  offset: string | undefined,
  name: string | undefined,
  at: number,
): ZoneChanges | undefined {
  if (name === undefined) return fixedZone(offset === undefined ? 0 : (parseUtcOffset(offset, at) ?? 0));
  if (offset !== undefined) return undefined;
  return name.includes('/') || findTimeZone(name).kind !== 'unknown'
    ? requireTimeZoneByName(name, at)
    : undefined;
}

/** The microseconds since 1970 of a literal. A timestamp without time zone ignores the zone in the text. */
export function readTimestamp(value: Expression, type: 'timestamp' | 'timestamptz'): bigint {
  const { days, seconds, fraction, zone } = parseTimestampParts(value, type);
  const clock = days * BigInt(microsPerDay) + seconds * BigInt(microsPerSecond);
  // The offset does not depend on fractions of a second.
  const moment = (type === 'timestamptz' ? localMicrosToUtc(clock, zone) : clock) + fraction;
  if (!isInSupportedRange(moment))
    throw unsupportedSql(
      `the ${type} "${value.literal ?? ''}" outside the years 1 to 9999`,
      value.at,
      'Use a year from 1 to 9999.',
    );
  return moment;
}

/** The days since 1970 of a literal. A time of day is ignored. */
export const readDate = (value: Expression): bigint => parseTimestampParts(value, 'date').days;
