import { badRequest, tooLarge, type RedoubtError } from '@redoubt/errors';
import { maxNesting, maxRecords } from './intake-limits.ts';
import { excerpt, recordError } from './record-error.ts';

/** The positions of the records in a body: record `n` is the bytes from `starts[n]` to before `ends[n]`. */
export interface RecordOffsets {
  starts: number[];
  ends: number[];
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;

/** The position of the next byte that is not white space. */
export function skipWhitespace(body: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const byte = body[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at++;
  }
}

/**
 * Finds the end of the JSON value at `from` by its brackets and quotes; its content is parsed later.
 * @returns -1 if the body ends inside the value, -2 if the value is nested too deeply
 */
export function skipValue(body: Buffer, from: number): number {
  const first = body[from];
  if (first === quote) return skipString(body, from);
  if (first !== openObject && first !== openArray) return skipScalar(body, from);
  let depth = 0;
  for (let at = from; at < body.length; at++) {
    const byte = body[at];
    if (byte === quote) {
      at = skipString(body, at) - 1;
      if (at < 0) return -1;
    } else if (byte === openObject || byte === openArray) {
      if (++depth > maxNesting) return -2;
    } else if ((byte === closeObject || byte === closeArray) && --depth === 0) {
      return at + 1;
    }
  }
  return -1;
}

function skipString(body: Buffer, from: number): number {
  for (let at = from + 1; at < body.length; at++) {
    const byte = body[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at++;
  }
  return -1;
}

function skipScalar(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && !endsScalar(body[at])) at++;
  return at;
}

const endsScalar = (byte: number | undefined): boolean =>
  byte === undefined || byte === comma || byte === closeArray || byte === closeObject || byte <= 0x20;

/**
 * Finds the records of the array at `from`.
 * @returns the positions of the records, and the end of the array
 * @throws RedoubtError 400 with the index of the wrong record, or 413 for too many records
 */
export function scanRecords(body: Buffer, from: number): { slices: RecordOffsets; end: number } {
  const slices: RecordOffsets = { starts: [], ends: [] };
  let at = skipWhitespace(body, from + 1);
  if (body[at] === closeArray) return { slices, end: at + 1 };
  for (let index = 0; ; index++) {
    if (index === maxRecords) {
      throw tooLarge(`The body holds more than ${String(maxRecords)} records: send them in several writes.`);
    }
    const end = recordEnd(body, at, index);
    slices.starts.push(at);
    slices.ends.push(end);
    at = skipWhitespace(body, end);
    if (body[at] === closeArray) return { slices, end: at + 1 };
    if (body[at] !== comma) throw afterRecord(body, at, index);
    at = skipWhitespace(body, at + 1);
  }
}

function recordEnd(body: Buffer, from: number, index: number): number {
  if (from >= body.length) {
    throw badRequest(
      `The body ends where record ${String(index)} should begin: expected "{", or "]" to end the records.`,
    );
  }
  if (body[from] !== openObject) {
    throw recordError(
      index,
      `must be a JSON object, got ${excerptAt(body, from)}. Send an object such as {"name": "x"}.`,
    );
  }
  const end = skipValue(body, from);
  if (end === -1)
    throw recordError(index, 'must be complete, but the body ends inside it. Send the whole body.');
  if (end === -2) {
    throw recordError(
      index,
      `must have objects and arrays at most ${String(maxNesting)} levels deep, got more. Send a flatter record.`,
    );
  }
  return end;
}

const afterRecord = (body: Buffer, at: number, index: number): RedoubtError =>
  at >= body.length
    ? badRequest(`The body ends after record ${String(index)}: expected "," or "]".`)
    : recordError(index, `must be followed by "," or "]", got ${excerptAt(body, at)}. Send valid JSON.`);

/** The text at a position of the body, for an error message. */
export const excerptAt = (body: Buffer, at: number): string => excerpt(body.toString('utf8', at, at + 60));
