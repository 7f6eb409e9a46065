import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { toScalarType } from '../../types.ts';
import { findTimeZone } from '../../zones/zone-names.ts';
import { fixedZone, type ZoneChanges } from '../../zones/zone-changes.ts';
import type { FunctionRule } from '../function-rule.ts';
import { utcToLocal, localToUtc } from './zoned-timestamps.ts';

const notWritten = 'a time zone that is not a constant';

/**
 * Returns the time zone of a literal.
 * @throws SqlCompileError for unknown and unsupported zones
 */
export function requireTimeZone({ literal, at }: Expression): ZoneChanges {
  if (typeof literal !== 'string')
    throw unsupportedSql(notWritten, at, "Write the zone as a literal, as in 'Europe/Berlin'.");
  return requireTimeZoneByName(literal, at);
}

/** Returns the time zone of a name; see `requireTimeZone`. */
export function requireTimeZoneByName(name: string, at: number): ZoneChanges {
  const reading = findTimeZone(name);
  if (reading.kind === 'zone') return reading.zone;
  if (reading.kind === 'unknown') throw invalidSql(`time zone "${name}" not recognized`, at);
  throw unsupportedSql(
    `the time zone "${name}"`,
    at,
    reading.instead === undefined
      ? 'Write the name of a region, as in Europe/Berlin, or hours ahead of UTC as an interval.'
      : `Write "${reading.instead}".`,
  );
}

/**
 * Parses a UTC offset as in ISO 8601, in seconds: `+01`, `+0130` or `+01:30`; undefined for other texts.
 * @throws SqlCompileError for more than 15 hours, which PostgreSQL rejects
 */
export function parseUtcOffset(text: string, at: number): number | undefined {
  const match = /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, hours = '0', minutes = '0'] = match;
  if (Number(hours) > 15 || Number(minutes) > 59)
    throw invalidSql(`time zone displacement out of range: "${text}"`, at);
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
}

/** Returns the zone of an argument of make_timestamptz: an ISO 8601 offset with a sign, or the name of a zone. */
export function requireZoneOrOffset(value: Expression): ZoneChanges {
  const { literal, at } = value;
  if (typeof literal !== 'string' || !/^[+\-\d]/.test(literal)) return requireTimeZone(value);
  const offset = parseUtcOffset(literal, at);
  if (offset === undefined && /^\d/.test(literal))
    throw invalidSql(`invalid input syntax for type numeric time zone: "${literal}"`, at);
  if (offset === undefined)
    throw unsupportedSql(`the time zone "${literal}"`, at, 'Write it as +01:30, or by its name.');
  return fixedZone(offset);
}

/** A zone with a UTC offset given as an interval. */
function zoneOfInterval({ interval, at }: Expression): ZoneChanges {
  if (interval === undefined)
    throw unsupportedSql(notWritten, at, "Write the zone as a literal, as in 'Europe/Berlin'.");
  if (interval.months !== 0 || interval.days !== 0)
    throw invalidSql('an interval that is a time zone must not include months or days', at);
  const seconds = Math.trunc(interval.micros / 1_000_000);
  // PostgreSQL stores the offset in 32 bits. After an overflow, it would use another offset.
  if (Math.abs(seconds) >= 2 ** 31)
    throw unsupportedSql(
      'an interval of so many hours as a time zone',
      at,
      'Use a time zone of at most 15 hours.',
    );
  return fixedZone(seconds);
}

const readers = [
  ['text', requireTimeZone],
  ['interval', zoneOfInterval],
] as const;

const directions = [
  ['timestamptz', 'timestamp', utcToLocal],
  ['timestamp', 'timestamptz', localToUtc],
] as const;

/** `AT TIME ZONE`: converts a timestamptz to local time, and local time to a timestamptz. */
export const zoneFunctions: readonly FunctionRule[] = readers.flatMap(([zoneType, read]) =>
  directions.map(([from, to, move]): FunctionRule => ({
    name: 'timezone',
    parameters: [zoneType, from],
    result: toScalarType(to),
    emit: ([zone, value]) => {
      if (zone === undefined || value === undefined) throw new Error('Rules have their arguments counted.');
      return move(value.sql, read(zone));
    },
  })),
);
