import { describeValue, invalidField } from '@redoubt/errors';
import type { Scalar, ScalarValue } from './scalar.ts';

/** The maximum characters of a string in a query string. */
const maxTextLength = 4000;

const integer = /^-?\d{1,16}$/;
const decimal = /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i;
const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Parses an integer.
 * @returns undefined if a double cannot represent the number exactly
 */
export const parseInteger = (text: string): number | undefined =>
  integer.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;

const parseNumber = (text: string): number | undefined =>
  decimal.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;

const parseBoolean = (text: string): boolean | undefined => {
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : undefined;
};

/** A timestamp with an offset of 16 hours or more, which PostgreSQL rejects. */
const farOffset = /^(.{19})(\.\d+)?([+-](?:1[6-9]|2[0-3]):\d\d)$/;

/**
 * Converts a timestamp with a far offset to UTC, and returns others unchanged.
 * @returns undefined if its year in UTC does not have four digits
 */
const withoutFarOffset = (text: string): string | undefined => {
  const [, seconds, fraction = '', offset] = farOffset.exec(text) ?? [];
  if (seconds === undefined || offset === undefined) return text;
  const moved = new Date(`${seconds}${offset}`).toISOString();
  return /^\d{4}-/.test(moved) && !moved.startsWith('0000') ? `${moved.slice(0, 19)}${fraction}Z` : undefined;
};

/** Returns a valid timestamp in a form that PostgreSQL accepts, or undefined. */
const parseDateTime = (text: string): string | undefined => {
  const [, year, month, day] = dateTime.exec(text) ?? [];
  if (year === undefined || year === '0000') return undefined;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
    ? withoutFarOffset(text)
    : undefined;
};

/** Rejects NUL, which the metadata engines do not store, and unpaired surrogates, which UTF-8 cannot encode. */
const parseText = (text: string): string | undefined =>
  text.length <= maxTextLength && !text.includes('\0') && text.isWellFormed() ? text : undefined;

const parsers: Record<Scalar['kind'], (text: string) => ScalarValue | undefined> = {
  integer: parseInteger,
  number: parseNumber,
  boolean: parseBoolean,
  text: parseText,
  'date-time': parseDateTime,
};

const expectations: Record<Scalar['kind'], { expected: string; advice: string }> = {
  integer: { expected: 'a whole number', advice: 'Send digits, such as 12.' },
  number: { expected: 'a number', advice: 'Send a number, such as 1.5.' },
  boolean: { expected: 'true or false', advice: 'Send one of these two words.' },
  text: {
    expected: `a string of at most ${maxTextLength} characters`,
    advice: 'Send a shorter string, without NUL characters and unpaired surrogates.',
  },
  'date-time': {
    expected: 'a timestamp with a time zone',
    advice: 'Send one such as 2024-01-31T12:00:00Z. Write the + of an offset as %2B.',
  },
};

/**
 * Parses the value of a query parameter or filter by the kind in its schema. Of the limits of the schema, it checks
 * only the list of allowed values: a filter for a value that no entry can have must find nothing instead of failing.
 * @param field the name for error messages
 * @throws BadRequestError 400 with the value that was sent
 */
export const parseScalar = (field: string, sent: unknown, scalar: Scalar): ScalarValue => {
  const got = describeValue(sent);
  if (typeof sent !== 'string') {
    throw invalidField({ field, expected: 'a single value', got, advice: 'Send one value.' });
  }
  const value = parsers[scalar.kind](sent);
  if (value === undefined) throw invalidField({ field, got, ...expectations[scalar.kind] });
  if (scalar.values !== undefined && !scalar.values.includes(value)) {
    const expected = `one of ${scalar.values.join(', ')}`;
    throw invalidField({ field, expected, got, advice: 'Send one of these values.' });
  }
  return value;
};
