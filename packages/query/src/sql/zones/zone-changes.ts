import { zoneData } from './zone-data.ts';

/** A zone's distance from UTC from a moment on. */
export interface ZoneChange {
  /** Seconds since 1970. */
  readonly at: number;
  /** Seconds that its clocks are ahead of UTC from then on. */
  readonly offset: number;
}

/** What a zone's clocks show at every moment. */
export interface ZoneChanges {
  /** Its distance from UTC before all changes, in seconds. */
  readonly first: number;
  /** In the order of time. Those from `cycleStart` on repeat every 400 years, after which the calendar is the same. */
  readonly changes: readonly ZoneChange[];
}

/** A zone whose clocks are always so many seconds ahead of UTC. */
export const fixedZone = (offset: number): ZoneChanges => ({ first: offset, changes: [] });

/** The first second of a year in UTC. */
export const startOfYear = (year: number): number => Date.UTC(year, 0, 1) / 1000;

/** Which days of a year are which weekdays: 0 to 6 of its first one, and 7 more with a leap day. */
export const kindOfYear = (year: number): number =>
  new Date(startOfYear(year) * 1000).getUTCDay() +
  (startOfYear(year + 1) - startOfYear(year) > 365 * 86_400 ? 7 : 0);

/** No zone changed before 1844. */
export const firstYear = 1840;

/** From here on no zone has changes but those that its rules repeat each year (Morocco's are told by the moon up to 2087). */
const cycleYear = 2101;
const cycleYears = 400;

/** The first second of the cycle. */
export const cycleStart = startOfYear(cycleYear);
/** Its length. */
export const cycleSeconds = startOfYear(cycleYear + cycleYears) - cycleStart;

/** The line of each zone by its names, in small letters. */
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

/** Changes as `distance.offset`: seconds from the one before, and which of the zone's offsets it is from then on. */
function readChanges(text: string, start: number, offsets: readonly number[]): ZoneChange[] {
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
    readChanges(kinds[kindOfYear(each)] ?? '', startOfYear(each), offsets),
  );
  return {
    first: offsets[0] ?? 0,
    changes: [...readChanges(changes, startOfYear(firstYear), offsets), ...byRule],
  };
}

/** What has been read, by the text of the zone. */
const known = new Map<readonly string[], ZoneChanges>();

/**
 * The changes of a zone of the IANA database.
 * @param name in any case of letters
 * @returns undefined for names that are none
 */
export function zoneChanges(name: string): ZoneChanges | undefined {
  const line = lines.get(name.toLowerCase());
  if (line === undefined) return undefined;
  const found = known.get(line) ?? readZone(line);
  known.set(line, found);
  return found;
}
