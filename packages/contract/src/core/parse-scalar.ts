import { badField } from '@redoubt/errors';
import type { Scalar, ScalarValue } from './scalar.ts';

/** Longer texts in a query string are refused. */
const maxTextLength = 4000;
const maxQuoted = 100;

/** What was sent, shortened for an error message. */
export const quoteForMessage = (sent: unknown): string => {
  if (typeof sent === 'string') {
    return JSON.stringify(sent.length > maxQuoted ? `${sent.slice(0, maxQuoted)}…` : sent);
  }
  if (Array.isArray(sent)) return `a list of ${sent.length} values`;
  return typeof sent === 'object' && sent !== null ? 'a nested value' : `a value of type ${typeof sent}`;
};

const integer = /^-?\d{1,16}$/;
const decimal = /^-?(\d+(\.\d+)?|\.\d+)(e[+-]?\d+)?$/i;
const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** A whole number that a double holds exactly, or undefined. */
export const parseInteger = (text: string): number | undefined =>
  integer.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;

const parseNumber = (text: string): number | undefined =>
  decimal.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;

const parseBoolean = (text: string): boolean | undefined => {
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : undefined;
};

/** Offsets of 16 hours and more, which PostgreSQL does not take. */
const farOffset = /^(.{19})(\.\d+)?([+-](?:1[6-9]|2[0-3]):\d\d)$/;

/** The same moment without a far offset; undefined where it is in no year of four digits. */
const withoutFarOffset = (text: string): string | undefined => {
  const [, seconds, fraction = '', offset] = farOffset.exec(text) ?? [];
  if (seconds === undefined || offset === undefined) return text;
  const moved = new Date(`${seconds}${offset}`).toISOString();
  return /^\d{4}-/.test(moved) && !moved.startsWith('0000') ? `${moved.slice(0, 19)}${fraction}Z` : undefined;
};

/** The text, or one of the same moment, when it is a real point in time with an offset. */
const parseDateTime = (text: string): string | undefined => {
  const [, year, month, day] = dateTime.exec(text) ?? [];
  if (year === undefined || year === '0000') return undefined;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
    ? withoutFarOffset(text)
    : undefined;
};

/** Engines refuse NUL in a text, and unpaired surrogates have no UTF-8. */
const parseText = (text: string): string | undefined =>
  text.length <= maxTextLength && !text.includes('\0') && text.isWellFormed() ? text : undefined;

const parsers: Record<Scalar['kind'], (text: string) => ScalarValue | undefined> = {
  integer: parseInteger,
  number: parseNumber,
  boolean: parseBoolean,
  text: parseText,
  'date-time': parseDateTime,
};

const expectations: Record<Scalar['kind'], string> = {
  integer: 'Send a whole number.',
  number: 'Send a number.',
  boolean: 'Send true or false.',
  text: `Send a text of at most ${maxTextLength} characters without NUL.`,
  'date-time': 'Send a time such as 2024-01-31T12:00:00Z (a + in an offset must be sent as %2B).',
};

/**
 * The value that `sent` stands for in the place named `field`. Of the limits of the schema only the list
 * of values is held against it: a filter by a text that no entry can have just finds nothing.
 * @throws BadRequestError 400 quoting the value
 */
export const parseScalar = (field: string, sent: unknown, scalar: Scalar): ScalarValue => {
  if (typeof sent !== 'string') throw badField(field, `${quoteForMessage(sent)} was sent. Send one value.`);
  const value = parsers[scalar.kind](sent);
  if (value === undefined)
    throw badField(field, `${quoteForMessage(sent)} does not fit. ${expectations[scalar.kind]}`);
  if (scalar.values !== undefined && !scalar.values.includes(value)) {
    throw badField(field, `${quoteForMessage(sent)} does not fit. Send one of: ${scalar.values.join(', ')}.`);
  }
  return value;
};
