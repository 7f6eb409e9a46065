/**
 * The accepted dates and timestamps: `YYYY-MM-DD`, optionally followed by `T` or a space, `HH:MM`, an optional `:SS` with
 * an optional fraction of 1 to 9 digits, and an optional `Z` or offset `+HH:MM` or `+HHMM`. The default is UTC. Days must
 * exist in their month; hours go to 23, minutes and seconds to 59. Fractions are truncated to microseconds.
 */
const timestampPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))?)?$/;
const coarsePattern = /^(\d{4})(?:-(\d{2}))?$/;

const dayMicros = 86_400_000_000n;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const daysInMonth = (year: number, month: number): number =>
  month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
    ? 29
    : (monthLengths[month - 1] ?? 0);

/** Days since 1970-01-01 in the Gregorian calendar, extended back to the year 0. */
function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}

/** A range of time in microseconds since 1970 UTC. `from` is included, `until` is not. */
export interface MicrosecondRange {
  from: bigint;
  until: bigint;
}

/** Parses a text of a record as a timestamp, in microseconds since 1970 UTC; undefined if it is not one. */
export const parseTimestampMicros = (text: string): bigint | undefined =>
  text.length < 10 || text.charCodeAt(4) !== 45 || text.length > 40
    ? undefined
    : parseTimestampRange(text)?.from;

function parseTimestampRange(text: string): MicrosecondRange | undefined {
  const [found, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] =
    timestampPattern.exec(text) ?? [];
  if (found === undefined || !isDate(Number(year), Number(month), Number(day))) return undefined;
  const midnight = BigInt(dayNumber(Number(year), Number(month), Number(day))) * dayMicros;
  if (hour === undefined) return { from: midnight, until: midnight + dayMicros };
  const within = [hour, offsetHours].every((part) => Number(part ?? 0) <= 23);
  if (!within || ![minute, second, offsetMinutes].every((part) => Number(part ?? 0) <= 59)) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0));
  const seconds = (Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second ?? 0);
  const from = midnight + BigInt(seconds) * 1_000_000n + BigInt((fraction ?? '').padEnd(6, '0').slice(0, 6));
  return { from, until: from + unitMicros(second, fraction) };
}

const unitMicros = (second: string | undefined, fraction: string | undefined): bigint => {
  if (second === undefined) return 60_000_000n;
  return fraction === undefined ? 1_000_000n : 10n ** BigInt(Math.max(0, 6 - fraction.length));
};

const isDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);

/**
 * Parses a bound of a range: a timestamp, a date, a month `YYYY-MM` or a year `YYYY`. The result covers the whole last
 * unit, for example the whole year. Undefined if the text is not a date.
 */
export function parseTimeRange(text: string): MicrosecondRange | undefined {
  const [found, yearText, monthText] = coarsePattern.exec(text) ?? [];
  if (found === undefined) return parseTimestampRange(text);
  const year = Number(yearText);
  const month = Number(monthText ?? 1);
  if (month < 1 || month > 12) return undefined;
  const isLast = monthText === undefined || month === 12;
  return {
    from: BigInt(dayNumber(year, month, 1)) * dayMicros,
    until: BigInt(dayNumber(isLast ? year + 1 : year, isLast ? 1 : month + 1, 1)) * dayMicros,
  };
}
