import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { firstYear, kindOfYear, startOfYear, type ZoneChange } from './zone-changes.ts';
import { zoneData } from './zone-data.ts';

// Writes the zones anew, as this Node knows them: run it with a new one after the rules of a zone were changed.

/** Rules are those of these years, in which each kind of year is found. */
const ruleYears = { first: 2101, end: 2129 };

const secondsPerDay = 86_400;
/** Two changes have never been closer to each other than this (Freetown, 1939: four days). */
const step = 3 * secondsPerDay;

type OffsetReader = (seconds: number) => number;

/** Reads how far a zone is ahead of UTC at seconds since 1970. */
function offsetReader(zone: string): OffsetReader {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (seconds) => {
    const text = format.format(seconds * 1000);
    const [, sign, hours = '0', minutes = '0', rest = '0'] =
      /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text) ?? [];
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
    return sign === '-' ? -size : size;
  };
}

/** The moment of a change between two at which the offsets differ. */
function changeBetween(read: OffsetReader, before: number, after: number): ZoneChange {
  const from = read(before);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (read(middle) === from) low = middle;
    else high = middle;
  }
  return { at: high, offset: read(high) };
}

function changesIn(read: OffsetReader, start: number, end: number): ZoneChange[] {
  const found: ZoneChange[] = [];
  let offset = read(start);
  for (let at = start; at < end; at += step) {
    const next = Math.min(at + step, end);
    if (read(next) === offset) continue;
    const change = changeBetween(read, at, next);
    found.push(change);
    offset = change.offset;
  }
  return found;
}

const written = (changes: readonly ZoneChange[], start: number, offsets: readonly number[]): string =>
  changes
    .map(({ at, offset }, index) => {
      const distance = at - (changes[index - 1]?.at ?? start);
      return `${distance.toString(36)}.${offsets.indexOf(offset).toString(36)}`;
    })
    .join(' ');

/** What a zone is, without its names: its offsets, its changes, and the year from which rules say them, for each kind of year. */
function zoneText(zone: string): string {
  const read = offsetReader(zone);
  const changes = changesIn(read, startOfYear(firstYear), startOfYear(ruleYears.end));
  const offsets = [...new Set([read(startOfYear(firstYear)), ...changes.map(({ offset }) => offset)])];
  const ofYear = (year: number): string => {
    const inYear = changes.filter(({ at }) => at >= startOfYear(year) && at < startOfYear(year + 1));
    return written(inYear, startOfYear(year), offsets);
  };
  const kinds: string[] = [];
  for (let year = ruleYears.first; year < ruleYears.end; year++) kinds[kindOfYear(year)] = ofYear(year);
  const shown = offsets.map((offset) => offset.toString(36)).join(' ');
  const told = (list: readonly ZoneChange[]): string => written(list, startOfYear(firstYear), offsets);
  if (kinds.every((kind) => kind === '')) return `${shown}|${told(changes)}`;
  let ruled = ruleYears.first;
  while (ofYear(ruled - 1) === kinds[kindOfYear(ruled - 1)]) ruled -= 1;
  const before = changes.filter(({ at }) => at < startOfYear(ruled));
  return [shown, told(before), String(ruled), ...kinds].join('|');
}

/** Other names of zones; Node does not list those it knows. */
function otherNames(): string[] {
  const folder = '/usr/share/zoneinfo';
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^(?:posix|right)\/|^(?:posixrules|localtime|Factory)$|\./.test(name),
  );
}

const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const kept = zoneData.split('\n').flatMap((line) => line.split('|')[0]?.split(' ') ?? []);
const names = [...new Set([...kept, ...Intl.supportedValuesOf('timeZone'), ...otherNames()])]
  .filter((name) => /^[A-Z]/.test(name) && isZone(name))
  .toSorted();
const namesByText = new Map<string, string[]>();
for (const name of names) {
  const text = zoneText(name);
  namesByText.set(text, [...(namesByText.get(text) ?? []), name]);
}
const lines = Array.from(namesByText, ([text, alike]) => `${alike.join(' ')}|${text}`);
writeFileSync(
  fileURLToPath(new URL('zone-data.ts', import.meta.url)),
  `/**
 * The zones of the IANA database (${process.versions.tz ?? ''}), written by update.ts; in a line those that have always been alike. Between bars: their
 * names; their offsets in seconds, in base 36; the changes since ${String(firstYear)}, as seconds from the one before and which offset it is; the year from
 * which rules say them, and what they are in years that begin with Sunday, Monday, ... Saturday, and in such leap years.
 */
export const zoneData = \`
${lines.join('\n')}
\`;
`,
);
