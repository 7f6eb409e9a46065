/**
 * Matches the texts that queries treat as dates and times: `YYYY-MM-DD`, optionally followed by `T` or a space and a
 * time. The seconds, their fraction and the offset are optional.
 */
const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):?(\d{2}))?)?$/;
const maxHour = 23;
const maxMinute = 59;

/** Whether a text is a date that exists. */
export const isDate = (text: string): boolean => text.length === 10 && isTimestamp(text);

/** Whether a text is a date that exists, with or without a time. */
export function isTimestamp(text: string): boolean {
  const [found, year, month, day, hour = '0', minute = '0', second = '0', ...offset] = form.exec(text) ?? [];
  if (found === undefined) return false;
  const [offsetHour = '0', offsetMinute = '0'] = offset;
  return (
    isDay(Number(year), Number(month), Number(day)) &&
    [hour, offsetHour].every((part) => Number(part) <= maxHour) &&
    [minute, second, offsetMinute].every((part) => Number(part) <= maxMinute)
  );
}

/** Whether a day exists: `Date` converts a day that does not exist to another one. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
