import { bind } from './sql-text.ts';

/**
 * Engine SQL that writes values as PostgreSQL does. Each takes engine SQL of the value and gives a String, NULL for NULL.
 */

/** A fraction of a second in microseconds: "" for none, else ".5" without zeros at its end. */
const fraction = (micros: string): string =>
  `if(${micros} = 0, '', concat('.', trimRight(leftPad(toString(${micros}), 6, '0'), '0')))`;

const twoDigits = (whole: string): string => `leftPad(toString(${whole}), 2, '0')`;

/** `2020-01-31 12:00:00.5`, with another character than the space if wished. */
export const timestampText = (sql: string, between: ' ' | 'T' = ' '): string =>
  bind([`toString(${sql})`], (all) => {
    const text = between === ' ' ? all : `concat(substring(${all}, 1, 10), 'T', substring(${all}, 12))`;
    return `if(endsWith(${all}, '.000000'), substring(${text}, 1, 19), trimRight(${text}, '0'))`;
  });

/** `1 day 02:00:00`. */
export const intervalText = (sql: string): string => bind([sql], writeInterval);

function writeInterval(sql: string): string {
  const size = `abs(${sql})`;
  const days = `intDiv(${size}, 86400000000)`;
  const time = `(${size} % 86400000000)`;
  const seconds = `intDiv(${time}, 1000000)`;
  const sign = `if(${sql} < 0, '-', '')`;
  const clock = `concat(${sign}, ${twoDigits(`intDiv(${seconds}, 3600)`)}, ':', ${twoDigits(`(intDiv(${seconds}, 60) % 60)`)}, ':', ${twoDigits(`(${seconds} % 60)`)}, ${fraction(`(${time} % 1000000)`)})`;
  const day = `concat(${sign}, toString(${days}), if(${sql} >= 86400000000 AND ${days} = 1, ' day', ' days'))`;
  return `multiIf(${days} = 0, ${clock}, ${time} = 0, ${day}, concat(${day}, ' ', ${clock}))`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The text of an interval whose parts are known. */
export function intervalLiteralText(interval: { months: number; days: number; micros: number }): string {
  const years = Math.trunc(interval.months / 12);
  const parts: string[] = [];
  let negative = false;
  const add = (count: number, name: string): void => {
    if (count === 0) return;
    parts.push(`${negative && count > 0 ? '+' : ''}${String(count)} ${name}${count === 1 ? '' : 's'}`);
    negative = count < 0;
  };
  add(years, 'year');
  add(interval.months - years * 12, 'mon');
  add(interval.days, 'day');
  if (interval.micros !== 0 || parts.length === 0) {
    const size = Math.abs(interval.micros);
    const seconds = Math.floor(size / 1e6);
    const rest = size % 1e6;
    const tail = rest === 0 ? '' : `.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
    const sign = interval.micros < 0 ? '-' : negative ? '+' : '';
    parts.push(
      `${sign}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${tail}`,
    );
  }
  return parts.join(' ');
}

/**
 * A double as PostgreSQL 12 and later print it: the shortest digits that read back as the same number, with an exponent of at
 * least two digits below 1e-4 and from 1e15 on.
 */
export const doubleText = (sql: string): string => bind([sql], writeDouble);

function writeDouble(sql: string): string {
  const plain = `toString(abs(${sql}))`;
  const mantissa = `splitByChar('e', assumeNotNull(${plain}))[1]`;
  const exponent = `toInt32OrZero(splitByChar('e', assumeNotNull(${plain}))[2])`;
  const before = `splitByChar('.', ${mantissa})[1]`;
  const digits = `replaceOne(${mantissa}, '.', '')`;
  const leading = `trimLeft(${digits}, '0')`;
  const significant = `trimRight(${leading}, '0')`;
  const power = `(${exponent} + length(${before}) - 1 - (length(${digits}) - length(${leading})))`;
  const scientific = `concat(substring(${significant}, 1, 1), if(length(${significant}) > 1, concat('.', substring(${significant}, 2)), ''), if(${power} < 0, 'e-', 'e+'), if(abs(${power}) < 10, '0', ''), toString(abs(${power})))`;
  const sign = `if(reinterpretAsInt64(assumeNotNull(${sql})) < 0, '-', '')`;
  return `multiIf(isNull(${sql}), NULL, isNaN(${sql}), 'NaN', isInfinite(${sql}), if(${sql} > 0, 'Infinity', '-Infinity'), ${sql} = 0, concat(${sign}, '0'), abs(${sql}) < 1e-4 OR abs(${sql}) >= 1e15, concat(${sign}, ${scientific}), concat(${sign}, ${plain}))`;
}
