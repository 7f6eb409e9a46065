import { letIn } from '../engine-sql.ts';
import { cycleSeconds, cycleStart, type ZoneChange, type ZoneChanges } from '../../zones/zone-changes.ts';
import { microsOf, microsPerSecond, toTimestampOrNull } from './timestamps.ts';

/*
 * Timestamps in time zones. The engine's `roundDown`, a binary search, finds the last change before a timestamp in a
 * sorted list of numbers. Each number encodes the time of a change and the offset from then on. The engine's own time
 * zones are not used: the engine keeps 2 to 3 MB for each zone that was ever used, and returns wrong days for some
 * zones before 1970.
 */

/** The seconds from a point before the year 1 to 1970, so that no timestamp is negative. */
const epoch = 62_135_596_800 + 2 * 86_400;
/** The range of numbers for an offset inside a list entry. */
const offsetRange = 2 ** 18;
/** Added to offsets, so that they are not negative. */
const offsetBias = offsetRange / 2;

/** The two lists of changes of a zone: by UTC, and by local time. */
type Clock = 'local' | 'utc';

/**
 * The time of a change by a clock. As in PostgreSQL (DetermineTimeZoneOffset), a local time that clocks skip counts as
 * before the change, and a local time that occurs twice counts as after it. Both follow if the local time of the change
 * is computed with the new offset.
 */
const changeTime = ({ at, offset }: ZoneChange, clock: Clock): number => (clock === 'utc' ? at : at + offset);

const listed = (at: number, offset: number): string =>
  String(BigInt(at) * BigInt(offsetRange) + BigInt(offset + offsetBias));

const marks: Record<Clock, Map<ZoneChanges, string>> = { local: new Map(), utc: new Map() };

/**
 * The placeholder for a zone's list until a statement is complete. A list can have 20,000 characters, and each use of
 * the zone repeats it. Statements contain no NUL characters, so placeholders are unique.
 */
export const zonePlaceholder = /\0z(\d+)\0/g;

const listsByPlaceholder: string[] = [];

/** Returns the list for the number of a placeholder. */
export const zoneListOfPlaceholder = (number: string): string => listsByPlaceholder[Number(number)] ?? '';

/**
 * Prints a zone's changes as an array in a string literal: a thousand numbers outside a literal take five times as long
 * to plan.
 */
function changesOf(zone: ZoneChanges, clock: Clock): string {
  const known = marks[clock].get(zone);
  if (known !== undefined) return known;
  const changes = zone.changes.map((change) => listed(changeTime(change, clock) + epoch, change.offset));
  const list = `CAST('[${[listed(0, zone.first), ...changes].join(',')}]' AS Array(UInt64))`;
  const mark = `\0z${String(listsByPlaceholder.push(list) - 1)}\0`;
  marks[clock].set(zone, mark);
  return mark;
}

const repeats = ({ changes }: ZoneChanges): boolean => (changes.at(-1)?.at ?? 0) >= cycleStart;

/** Engine SQL of the offset of a zone in microseconds, at a clock's microseconds since 1970. */
function offsetAt(micros: string, zone: ZoneChanges, clock: Clock): string {
  if (zone.changes.length === 0) return `toInt64(${String(zone.first)}000000)`;
  const seconds = `intDiv(toUInt64(${micros} + ${String(epoch)}000000), ${String(microsPerSecond)})`;
  const found = (second: string): string => {
    const sought = `${second} * ${String(offsetRange)} + ${String(offsetRange - 1)}`;
    const offset = `roundDown(${sought}, ${changesOf(zone, clock)}) % ${String(offsetRange)}`;
    return `(toInt64(${offset}) - ${String(offsetBias)}) * ${String(microsPerSecond)}`;
  };
  if (!repeats(zone)) return found(seconds);
  const start = String(cycleStart + epoch);
  const folded = `if(z_second < ${start}, z_second, toUInt64(${start} + (z_second - ${start}) % ${String(cycleSeconds)}))`;
  return letIn({ z_second: seconds }, found(folded));
}

const isUtc = ({ first, changes }: ZoneChanges): boolean => first === 0 && changes.length === 0;

/** Converts a timestamptz to local time; NULL outside the years of the engine. */
export const utcToLocal = (moment: string, zone: ZoneChanges): string =>
  isUtc(zone) ? moment : shifted(moment, `z_micros + ${offsetAt('z_micros', zone, 'utc')}`);

/** Converts local time to a timestamptz; NULL outside the years of the engine. */
export const localToUtc = (local: string, zone: ZoneChanges): string =>
  isUtc(zone) ? local : shifted(local, `z_micros - ${offsetAt('z_micros', zone, 'local')}`);

/** Truncates a timestamptz to a unit shorter than a day, in local time. The unit is in microseconds. */
export const truncateInZone = (moment: string, zone: ZoneChanges, unit: number): string =>
  shifted(
    moment,
    `z_micros - positiveModulo(z_micros + ${offsetAt('z_micros', zone, 'utc')}, toInt64(${String(unit)}))`,
  );

const shifted = (timestamp: string, micros: string): string =>
  letIn({ z_micros: microsOf(timestamp) }, letIn({ z_shifted: micros }, toTimestampOrNull('z_shifted')));

/** Converts local microseconds since 1970 to UTC: `localToUtc` for literals. */
export function localMicrosToUtc(local: bigint, zone: ZoneChanges): bigint {
  const size = BigInt(microsPerSecond);
  const seconds = Number(local / size) - (local % size < 0n ? 1 : 0);
  const folded =
    repeats(zone) && seconds >= cycleStart ? cycleStart + ((seconds - cycleStart) % cycleSeconds) : seconds;
  const last = zone.changes.findLast((change) => changeTime(change, 'local') <= folded);
  return local - BigInt(last?.offset ?? zone.first) * size;
}
