import { UnsupportedFile } from '../damaged-file.ts';
import { ValueError } from '../value-json.ts';

/** Returns how many seconds a time zone is ahead of UTC at a time in seconds since 1970. */
export type ZoneOffset = (seconds: number) => number;

const sameAsUtc = new Set(['', 'UTC', 'GMT', 'Etc/UTC', 'Etc/GMT', 'Z']);
/** Offsets change only at multiples of 15 minutes. */
const stepSeconds = 900;
const maxCached = 100_000;
/** The start of the year 1. Years before it cannot be read from the parts that `Intl` formats. */
const firstSeconds = -62_135_596_800;

/** Returns the offsets of a zone by its name, from the time zone data of Node.js. */
export function zoneOffset(zone: string): ZoneOffset {
  if (sameAsUtc.has(zone)) return () => 0;
  const format = formatOf(zone);
  const known = new Map<number, number>();
  return (seconds) => {
    if (seconds < firstSeconds + 86_400) throw new ValueError('a time of it is before the year 1.');
    const step = Math.floor(seconds / stepSeconds);
    const cached = known.get(step);
    if (cached !== undefined) return cached;
    if (known.size > maxCached) known.clear();
    const start = step * stepSeconds;
    const parts = Object.fromEntries(
      format.formatToParts(start * 1000).map(({ type, value }) => [type, Number(value)]),
    );
    const date = new Date(0);
    date.setUTCFullYear(parts['year'] ?? 0, (parts['month'] ?? 1) - 1, parts['day']);
    date.setUTCHours(parts['hour'] ?? 0, parts['minute'], parts['second']);
    const offset = date.getTime() / 1000 - start;
    known.set(step, offset);
    return offset;
  };
}

function formatOf(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new UnsupportedFile(
      `its time zone ${JSON.stringify(zone.slice(0, 40))} is not known. Write it in UTC.`,
    );
  }
}
