import { cycleSeconds, cycleStart, type ZoneChange, type ZoneChanges } from '../../zones/zone-changes.ts';
import { microsOf, microsPerSecond, toTimestampOrNull } from './timestamps.ts';
import { letIn } from '../numeric/exact-quotients.ts';

/*
 * Moments in time zones. The engine looks into a sorted list of numbers for the last change before a moment (`roundDown`, a binary
 * search), each of which holds when it happens and the offset from then on. Its own zones are not used: it keeps 2 to 3 MB of each
 * that was ever named, and takes some for a day off before 1970.
 */

/** Seconds from a point before the year 1 up to 1970, so that no moment is below zero. */
const epoch = 62_135_596_800 + 2 * 86_400;
/** What an offset takes of a number of the list. */
const offsetRange = 2 ** 18;
/** Added to offsets, so that they are not below zero. */
const offsetBias = offsetRange / 2;

/** The changes of a zone as two lists: by UTC, and by what its clocks show. */
type Clock = 'local' | 'utc';

/**
 * When a change is seen on a clock. A time that a zone's clocks skip counts as before the change, and one that they show twice as after
 * it, which is what PostgreSQL does (DetermineTimeZoneOffset): on a local clock both are the change by the new offset.
 */
const seenAt = ({ at, offset }: ZoneChange, clock: Clock): number => (clock === 'utc' ? at : at + offset);

const listed = (at: number, offset: number): string =>
  String(BigInt(at) * BigInt(offsetRange) + BigInt(offset + offsetBias));

const marks: Record<Clock, Map<ZoneChanges, string>> = { local: new Map(), utc: new Map() };

/**
 * A mark that stands for a zone's list until a statement is complete: the list may have 20,000 characters, and stands wherever the zone is
 * named. Nothing in a statement has a NUL character.
 */
export const zonePlaceholder = /\0z(\d+)\0/g;

const listsByMark: string[] = [];

/** The list that the number of a mark means. */
export const zoneListOfPlaceholder = (number: string): string => listsByMark[Number(number)] ?? '';

/** A zone's changes as the engine reads them: an array, in quotes, since a thousand numbers take five times as long to plan without. */
function changesOf(zone: ZoneChanges, clock: Clock): string {
  const known = marks[clock].get(zone);
  if (known !== undefined) return known;
  const changes = zone.changes.map((change) => listed(seenAt(change, clock) + epoch, change.offset));
  const list = `CAST('[${[listed(0, zone.first), ...changes].join(',')}]' AS Array(UInt64))`;
  const mark = `\0z${String(listsByMark.push(list) - 1)}\0`;
  marks[clock].set(zone, mark);
  return mark;
}

const repeats = ({ changes }: ZoneChanges): boolean => (changes.at(-1)?.at ?? 0) >= cycleStart;

/** Engine SQL of the microseconds that a zone is ahead of UTC, where a clock shows so many microseconds since 1970. */
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

/** Engine SQL of what a zone's clocks show at a moment; NULL outside the years that are held. */
export const utcToLocal = (moment: string, zone: ZoneChanges): string =>
  isUtc(zone) ? moment : shifted(moment, `z_micros + ${offsetAt('z_micros', zone, 'utc')}`);

/** Engine SQL of the moment at which a zone's clocks show a time; NULL outside the years that are held. */
export const localToUtc = (local: string, zone: ZoneChanges): string =>
  isUtc(zone) ? local : shifted(local, `z_micros - ${offsetAt('z_micros', zone, 'local')}`);

/** Engine SQL of a moment cut to a unit of a zone's clocks that is shorter than a day, in microseconds. */
export const truncateInZone = (moment: string, zone: ZoneChanges, unit: number): string =>
  shifted(
    moment,
    `z_micros - positiveModulo(z_micros + ${offsetAt('z_micros', zone, 'utc')}, toInt64(${String(unit)}))`,
  );

const shifted = (timestamp: string, micros: string): string =>
  letIn({ z_micros: microsOf(timestamp) }, letIn({ z_shifted: micros }, toTimestampOrNull('z_shifted')));

/** The microseconds since 1970 at which a zone's clocks show so many: what `localToUtc` says, of a literal. */
export function localMicrosToUtc(local: bigint, zone: ZoneChanges): bigint {
  const size = BigInt(microsPerSecond);
  const seconds = Number(local / size) - (local % size < 0n ? 1 : 0);
  const folded =
    repeats(zone) && seconds >= cycleStart ? cycleStart + ((seconds - cycleStart) % cycleSeconds) : seconds;
  const last = zone.changes.findLast((change) => seenAt(change, 'local') <= folded);
  return local - BigInt(last?.offset ?? zone.first) * size;
}
