import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { toScalarType } from '../../types.ts';
import { findTimeZone } from '../../zones/zone-names.ts';
import { fixedZone, type ZoneChanges } from '../../zones/zone-changes.ts';
import type { FunctionRule } from '../function-rule.ts';
import { utcToLocal, localToUtc } from './zoned-timestamps.ts';

const notWritten = 'a time zone that is not written out';

/**
 * The zone that a literal names.
 * @throws SqlFault for names that PostgreSQL does not know, and for zones that are not offered
 */
export function requireTimeZone({ literal, at }: Expression): ZoneChanges {
  if (typeof literal !== 'string')
    throw unsupportedSql(notWritten, at, "Write the zone as a literal, as in 'Europe/Berlin'.");
  return requireTimeZoneByName(literal, at);
}

/** The zone of a name in a text; see `requireTimeZone`. */
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
 * Seconds that a zone is ahead of UTC, as ISO 8601 writes them: `+01`, `+0130` or `+01:30`; undefined for other texts.
 * @throws SqlFault for more than 15 hours, which PostgreSQL refuses
 */
export function parseUtcOffset(text: string, at: number): number | undefined {
  const match = /^([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, hours = '0', minutes = '0'] = match;
  if (Number(hours) > 15 || Number(minutes) > 59)
    throw invalidSql(`time zone displacement out of range: "${text}"`, at);
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
}

/** What make_timestamptz takes: a number ahead of UTC as ISO 8601 writes it, which has a sign, or the name of a zone. */
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

/** A distance from UTC that is written as an interval. */
function zoneOfInterval({ interval, at }: Expression): ZoneChanges {
  if (interval === undefined)
    throw unsupportedSql(notWritten, at, "Write the zone as a literal, as in 'Europe/Berlin'.");
  if (interval.months !== 0 || interval.days !== 0)
    throw invalidSql('an interval that is a time zone must not include months or days', at);
  const seconds = Math.trunc(interval.micros / 1_000_000);
  // PostgreSQL has 32 bits for it, and another zone for what is beyond.
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

/** `AT TIME ZONE`: what a zone's clocks show at a moment, and the moment at which they show a time. */
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
