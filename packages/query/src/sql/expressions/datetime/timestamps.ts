import type { Expression } from '../../expression.ts';
import { engineType, toScalarType } from '../../types.ts';

/** Dates and timestamps in the engine. Both have the years 1 to 9999; values outside become NULL. */
export const microsPerSecond = 1_000_000;
export const microsPerDay = 86_400 * microsPerSecond;
const firstMicro = -62_135_596_800_000_000n;
const lastMicro = 253_402_300_799_999_999n;
const firstDay = -719_162;
const lastDay = 2_932_896;

export const isInSupportedRange = (micros: bigint): boolean => micros >= firstMicro && micros <= lastMicro;

/** A signed constant. Next to an unsigned one, the engine would treat negative numbers as large positive ones. */
export const signed = (constant: number): string => `toInt64(${String(constant)})`;

/** The microseconds since 1970 of a timestamp. */
export const microsOf = (timestamp: string): string => `toUnixTimestamp64Micro(${timestamp})`;

/** The timestamp for microseconds since 1970 that are known to be in range. */
export const toTimestamp = (micros: string): string => `fromUnixTimestamp64Micro(${micros}, 'UTC')`;

/** The timestamp for microseconds since 1970; NULL outside the years of the engine. */
export const toTimestampOrNull = (micros: string): string =>
  `if(${micros} BETWEEN ${String(firstMicro)} AND ${String(lastMicro)}, ${toTimestamp(`toInt64(${micros})`)}, NULL)`;

/** The days since 1970 of a date. */
export const daysOf = (date: string): string => `toInt64(${date})`;

/** The date for days since 1970 that are known to be in range. */
export const toDate = (days: string): string =>
  `toDate32(${toTimestamp(`toInt64(${days}) * ${String(microsPerDay)}`)})`;

/** The date for days since 1970; NULL outside the years of the engine. */
export const toDateOrNull = (days: string): string =>
  `if(${days} BETWEEN ${String(firstDay)} AND ${String(lastDay)}, ${toDate(days)}, NULL)`;

/** The number of months from the year 0 to the month of a timestamp. */
export const calendarMonths = (timestamp: string): string =>
  `(toInt64(toYear(${timestamp})) * 12 + toMonth(${timestamp}) - 1)`;

/** Engine SQL of the days since 1970 of a date, for any integers. */
export function daysFromCalendar(year: string, month: string, day: string): string {
  const late = `(${month} <= 2)`;
  const shifted = `(${year} - ${late})`;
  const fromMarch = `(${month} + 12 * ${late} - 3)`;
  return `(${day} + intDiv(153 * ${fromMarch} + 2, 5) + 365 * ${shifted} + intDiv(${shifted}, 4) - intDiv(${shifted}, 100) + intDiv(${shifted}, 400) - 719469)`;
}

const isLeap = (year: string): string => `(${year} % 4 = 0 AND (${year} % 100 != 0 OR ${year} % 400 = 0))`;

/** Engine SQL of the number of days of a month. */
export const daysOfMonth = (year: string, month: string): string =>
  `multiIf(${month} IN (4, 6, 9, 11), 30, ${month} != 2, 31, ${isLeap(year)}, 29, 28)`;

/** Engine SQL of whether the numbers are a valid date in the years of the engine. */
export const isCalendarDay = (year: string, month: string, day: string): string =>
  `(${year} BETWEEN 1 AND 9999 AND ${month} BETWEEN 1 AND 12 AND ${day} BETWEEN 1 AND ${daysOfMonth(year, month)})`;

export const timestampLiteral = (
  micros: bigint,
  type: 'timestamp' | 'timestamptz',
  at: number,
): Expression => ({
  sql: `CAST(${toTimestamp(`toInt64(${String(micros)})`)} AS ${engineType(toScalarType(type))})`,
  type: toScalarType(type),
  at,
});

export const dateLiteral = (days: bigint, at: number): Expression => ({
  sql: `CAST(${toDate(String(days))} AS ${engineType(toScalarType('date'))})`,
  type: toScalarType('date'),
  at,
});

/** The days since 1970 of a date. */
export function calendarDays(year: number, month: number, day: number): number {
  const late = month <= 2 ? 1 : 0;
  const shifted = year - late;
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const fromMarch = Math.floor((153 * (month + 12 * late - 3) + 2) / 5);
  return day + fromMarch + 365 * shifted + leaps - 719_469;
}

/** The number of days of a month. */
export const monthLength = (year: number, month: number): number =>
  calendarDays(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - calendarDays(year, month, 1);
