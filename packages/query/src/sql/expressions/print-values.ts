import { bindIntervalParts, type IntervalParts } from './datetime/interval-values.ts';
import { letOperandsIn } from './engine-sql.ts';

/**
 * Functions that print values as PostgreSQL does. Each takes engine SQL of the value and returns a String; NULL for NULL.
 */

/** Prints microseconds as a fraction of a second: "" for 0, else ".5" without trailing zeros. */
const fraction = (micros: string): string =>
  `if(${micros} = 0, '', concat('.', trimRight(leftPad(toString(${micros}), 6, '0'), '0')))`;

const twoDigits = (whole: string): string => `leftPad(toString(${whole}), 2, '0')`;

/** Prints `2020-01-31 12:00:00.5`, optionally with `T` instead of the space. */
export const printTimestamp = (sql: string, between: ' ' | 'T' = ' '): string => {
  const text = between === ' ' ? `toString(${sql})` : `replaceOne(toString(${sql}), ' ', '${between}')`;
  // The engine prints six digits after the point.
  return `trimRight(trimRight(${text}, '0'), '.')`;
};

/** Prints `1 year 2 mons -3 days +04:05:06.5`. A plus sign follows a negative part. */
export const printInterval = (sql: string): string =>
  bindIntervalParts('w', sql, (parts) => `if(isNull(w_packed), NULL, toNullable(${writeInterval(parts)}))`);

/** Prints a part such as `3 days`, or nothing for 0. */
const part = (count: string, unit: string, behindNegative: string): string =>
  `if(${count} = 0, '', concat(if(${behindNegative} AND ${count} > 0, '+', ''), toString(${count}), if(${count} = 1, ' ${unit}', ' ${unit}s')))`;

function writeInterval({ months, days, micros }: IntervalParts<string>): string {
  const size = `abs(${micros})`;
  const hours = `intDiv(${size}, 3600000000)`;
  const minutes = `(intDiv(${size}, 60000000) % 60)`;
  const seconds = `(intDiv(${size}, 1000000) % 60)`;
  const sign = `multiIf(${micros} < 0, '-', ${days} < 0 OR (${days} = 0 AND ${months} < 0), '+', '')`;
  const time = `concat(${sign}, if(${hours} < 10, '0', ''), toString(${hours}), ':', ${twoDigits(minutes)}, ':', ${twoDigits(seconds)}, ${fraction(`(${size} % 1000000)`)})`;
  const pieces = [
    part(`intDiv(${months}, 12)`, 'year', 'false'),
    part(`(${months} % 12)`, 'mon', 'false'),
    part(days, 'day', `${months} < 0`),
    `if(${micros} = 0 AND (${months} != 0 OR ${days} != 0), '', ${time})`,
  ].map((piece) => `assumeNotNull(${piece})`);
  return `arrayStringConcat(arrayFilter(w_piece -> w_piece != '', [${pieces.join(', ')}]), ' ')`;
}

/**
 * Prints a double as PostgreSQL 12 and later: the shortest digits that parse back to the same number, with an exponent of
 * at least two digits below 1e-4 and from 1e15.
 */
export const printDouble = (sql: string): string => letOperandsIn([sql], writeDouble);

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
