import type { Expression } from '../../expression.ts';
import { engineType, toScalarType } from '../../types.ts';

/**
 * Dates and timestamps in the engine. Both hold the years 1 to 9999; whatever leads out of them is NULL.
 */
export const microsPerSecond = 1_000_000;
export const microsPerDay = 86_400 * microsPerSecond;
const firstMicro = -62_135_596_800_000_000n;
const lastMicro = 253_402_300_799_999_999n;
const firstDay = -719_162;
const lastDay = 2_932_896;

export const isInSupportedRange = (micros: bigint): boolean => micros >= firstMicro && micros <= lastMicro;

/** A constant with a sign: beside one without, the engine would take negative numbers for large ones. */
export const signed = (constant: number): string => `toInt64(${String(constant)})`;

/** Microseconds since 1970 of a timestamp. */
export const microsOf = (timestamp: string): string => `toUnixTimestamp64Micro(${timestamp})`;

/** The timestamp of microseconds since 1970 that the engine holds for sure. */
export const toTimestamp = (micros: string): string => `fromUnixTimestamp64Micro(${micros}, 'UTC')`;

/** The timestamp of any number of microseconds since 1970: NULL outside the years that the engine holds. */
export const toTimestampOrNull = (micros: string): string =>
  `if(${micros} BETWEEN ${String(firstMicro)} AND ${String(lastMicro)}, ${toTimestamp(`toInt64(${micros})`)}, NULL)`;

/** Days since 1970 of a date. */
export const daysOf = (date: string): string => `toInt64(${date})`;

/** The date of days since 1970 that the engine holds for sure. */
export const toDate = (days: string): string =>
  `toDate32(${toTimestamp(`toInt64(${days}) * ${String(microsPerDay)}`)})`;

/** The date of any number of days since 1970. */
export const toDateOrNull = (days: string): string =>
  `if(${days} BETWEEN ${String(firstDay)} AND ${String(lastDay)}, ${toDate(days)}, NULL)`;

/** The months of the calendar up to that of a timestamp. */
export const calendarMonths = (timestamp: string): string =>
  `(toInt64(toYear(${timestamp})) * 12 + toMonth(${timestamp}) - 1)`;

/** Days since 1970 of a day of the calendar, by arithmetic that takes any whole numbers. */
export function daysFromCalendar(year: string, month: string, day: string): string {
  const late = `(${month} <= 2)`;
  const shifted = `(${year} - ${late})`;
  const fromMarch = `(${month} + 12 * ${late} - 3)`;
  return `(${day} + intDiv(153 * ${fromMarch} + 2, 5) + 365 * ${shifted} + intDiv(${shifted}, 4) - intDiv(${shifted}, 100) + intDiv(${shifted}, 400) - 719469)`;
}

const isLeap = (year: string): string => `(${year} % 4 = 0 AND (${year} % 100 != 0 OR ${year} % 400 = 0))`;

/** The days of a month from 1 to 12. */
export const daysOfMonth = (year: string, month: string): string =>
  `multiIf(${month} IN (4, 6, 9, 11), 30, ${month} != 2, 31, ${isLeap(year)}, 29, 28)`;

/** Whether the numbers are a day of the calendar in the years that the engine holds. */
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

/** Days since 1970 of a day of the calendar. */
export function calendarDays(year: number, month: number, day: number): number {
  const late = month <= 2 ? 1 : 0;
  const shifted = year - late;
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const fromMarch = Math.floor((153 * (month + 12 * late - 3) + 2) / 5);
  return day + fromMarch + 365 * shifted + leaps - 719_469;
}

/** The days of a month. */
export const monthLength = (year: number, month: number): number =>
  calendarDays(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - calendarDays(year, month, 1);
