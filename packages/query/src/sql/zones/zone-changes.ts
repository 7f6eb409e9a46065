import { zoneData } from './zone-data.ts';

/** An offset of a zone from a point in time on. */
export interface ZoneChange {
  /** Seconds since 1970. */
  readonly at: number;
  /** Seconds ahead of UTC from then on. */
  readonly offset: number;
}

/** The offsets of a zone over time. */
export interface ZoneChanges {
  /** The offset before all changes, in seconds. */
  readonly first: number;
  /** In ascending order. Changes from `cycleStart` on repeat every 400 years, because the calendar does. */
  readonly changes: readonly ZoneChange[];
}

/** Creates a zone with a constant offset in seconds. */
export const fixedZone = (offset: number): ZoneChanges => ({ first: offset, changes: [] });

/** The first second of a year in UTC. */
export const startOfYear = (year: number): number => Date.UTC(year, 0, 1) / 1000;

/** A number for years with the same calendar: the weekday of January 1, from 0 (Sunday) to 6, plus 7 in leap years. */
export const kindOfYear = (year: number): number =>
  new Date(startOfYear(year) * 1000).getUTCDay() +
  (startOfYear(year + 1) - startOfYear(year) > 365 * 86_400 ? 7 : 0);

/** No zone changed before 1844. */
export const firstYear = 1840;

/** From this year on, all changes follow yearly rules. (The changes of Morocco follow the moon until 2087.) */
const cycleYear = 2101;
const cycleYears = 400;

/** The first second of the cycle. */
export const cycleStart = startOfYear(cycleYear);
/** The length of the cycle in seconds. */
export const cycleSeconds = startOfYear(cycleYear + cycleYears) - cycleStart;

/** The parts of each zone's line, by each name of the zone in lower case. */
const lines = new Map(
  zoneData
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [names = '', ...parts] = line.split('|');
      return names.split(' ').map((name) => [name.toLowerCase(), parts] as const);
    }),
);

const number = (digits: string | undefined): number => Number.parseInt(digits ?? '', 36);

/** Parses changes of the form `distance.offset`: seconds since the previous change, and the index of the new offset. */
function parseChanges(text: string, start: number, offsets: readonly number[]): ZoneChange[] {
  const changes: ZoneChange[] = [];
  let at = start;
  for (const [distance, index] of text
    .split(' ')
    .filter(Boolean)
    .map((each) => each.split('.'))) {
    at += number(distance);
    changes.push({ at, offset: offsets[number(index)] ?? 0 });
  }
  return changes;
}

function readZone([offsetTexts = '', changes = '', year = '', ...kinds]: readonly string[]): ZoneChanges {
  const offsets = offsetTexts.split(' ').map(number);
  const repeated = year === '' ? 0 : cycleYear + cycleYears - Number(year);
  const byRule = Array.from({ length: repeated }, (_, index) => Number(year) + index).flatMap((each) =>
    parseChanges(kinds[kindOfYear(each)] ?? '', startOfYear(each), offsets),
  );
  return {
    first: offsets[0] ?? 0,
    changes: [...parseChanges(changes, startOfYear(firstYear), offsets), ...byRule],
  };
}

/** Parsed zones by their text. */
const known = new Map<readonly string[], ZoneChanges>();

/**
 * Returns the changes of a zone of the IANA database.
 * @param name in any letter case
 * @returns undefined for an unknown name
 */
export function zoneChanges(name: string): ZoneChanges | undefined {
  const line = lines.get(name.toLowerCase());
  if (line === undefined) return undefined;
  const found = known.get(line) ?? readZone(line);
  known.set(line, found);
  return found;
}
