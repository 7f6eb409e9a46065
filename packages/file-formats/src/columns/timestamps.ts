/** `YYYY-MM-DD`, then perhaps `T` or a space and a time with seconds, fractions and an offset. Queries read this form. */
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

/** `Date` would turn a date that does not exist into another one. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
