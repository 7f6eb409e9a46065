import { ValueError } from './value-json.ts';

/** The unit of a timestamp, in parts of a second. */
export type TimeUnit = 'second' | 'millisecond' | 'microsecond' | 'nanosecond';

const digitsOf: Readonly<Record<TimeUnit, number>> = {
  second: 0,
  millisecond: 3,
  microsecond: 6,
  nanosecond: 9,
};
/** The largest distance of a date from 1970, in milliseconds. */
const maxMilliseconds = 8.64e15;
const secondsOfDay = 86_400;

const isoOf = (seconds: number): string => {
  const milliseconds = seconds * 1000;
  if (!(Math.abs(milliseconds) <= maxMilliseconds)) {
    throw new ValueError('a date of it is more than 270,000 years away.');
  }
  return new Date(milliseconds).toISOString();
};

/** The fraction of a second with its point: no digits, three, six or nine. */
const fractionText = (fraction: number, digits: number): string => {
  if (fraction === 0) return '';
  const text = String(fraction).padStart(digits, '0').padEnd(9, '0');
  if (!text.endsWith('000')) return `.${text}`;
  return text.endsWith('000000') ? `.${text.slice(0, 3)}` : `.${text.slice(0, 6)}`;
};

/** Splits a time into whole seconds, rounded down, and the rest. */
const splitSeconds = (value: bigint | number, digits: number): [seconds: number, fraction: number] => {
  const perSecond = 10 ** digits;
  const number = Number(value);
  if (Number.isSafeInteger(number)) {
    const seconds = Math.floor(number / perSecond);
    return [seconds, number - seconds * perSecond];
  }
  const exact = BigInt(value);
  const wide = BigInt(perSecond);
  const fraction = ((exact % wide) + wide) % wide;
  return [Number((exact - fraction) / wide), Number(fraction)];
};

/** Prints a date, given in days since 1970: `2024-01-31`. */
export const dateJson = (days: number): string => {
  const text = isoOf(days * secondsOfDay);
  return `"${text.slice(0, text.indexOf('T'))}"`;
};

/** Prints a timestamp, given in units since 1970. @param isInstant in UTC; otherwise a local time, which gets no zone */
export const timestampJson = (value: bigint | number, unit: TimeUnit, isInstant: boolean): string => {
  const [seconds, fraction] = splitSeconds(value, digitsOf[unit]);
  return timestampOf(seconds, fraction, digitsOf[unit], isInstant);
};

/** Prints a timestamp, given in whole seconds since 1970 and nanoseconds. */
export const secondsJson = (seconds: number, nanoseconds: number, isInstant: boolean): string =>
  timestampOf(seconds, nanoseconds, 9, isInstant);

const timestampOf = (seconds: number, fraction: number, digits: number, isInstant: boolean): string => {
  const text = isoOf(seconds);
  return `"${text.slice(0, text.indexOf('.'))}${fractionText(fraction, digits)}${isInstant ? 'Z' : ''}"`;
};

/** Prints a time of day: `13:45:00.5`. */
export const timeJson = (value: bigint | number, unit: TimeUnit): string => {
  const [seconds, fraction] = splitSeconds(value, digitsOf[unit]);
  if (seconds < 0 || seconds > secondsOfDay) throw new ValueError('a time of it is not within a day.');
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return `"${text}${fractionText(fraction, digitsOf[unit])}"`;
};

/** Prints a duration in ISO 8601. Months, days and seconds stay separate, because months and days have no fixed length. */
export const spanJson = (months: number, days: number, time: bigint | number, unit: TimeUnit): string => {
  const isNegative = time < 0;
  const [seconds, fraction] = splitSeconds(isNegative ? -time : time, digitsOf[unit]);
  const date = `${months === 0 ? '' : `${String(months)}M`}${days === 0 ? '' : `${String(days)}D`}`;
  const clock =
    seconds === 0 && fraction === 0
      ? ''
      : `T${isNegative ? '-' : ''}${String(seconds)}${fractionText(fraction, digitsOf[unit])}S`;
  return `"P${date === '' && clock === '' ? 'T0S' : `${date}${clock}`}"`;
};
