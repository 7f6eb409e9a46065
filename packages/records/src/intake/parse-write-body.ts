import { isUtf8 } from 'node:buffer';
import { invalidField, badRequest, securityError } from '@redoubt/errors';
import { excerptAt, scanRecords, skipValue, skipWhitespace, type RecordOffsets } from './body-scanner.ts';
import { maxNesting } from './intake-limits.ts';
import { duplicateKey } from './internal-keys.ts';
import { recordError } from './record-error.ts';

/** `array`: the body is an array of records. `envelope`: it is an object with this array under `records`. */
export type WriteBodyFormat = 'array' | 'envelope';

/** A body whose records were found but not parsed. Absent members of the envelope are undefined. */
export interface WriteBody {
  bytes: Buffer;
  slices: RecordOffsets;
  /** How many records it contains. */
  count: number;
  securityLabelInfo: unknown;
  columnSecurityLabelInfo: unknown;
}

const otherKeys = ['securityLabelInfo', 'columnSecurityLabelInfo'] as const;
type OtherKey = (typeof otherKeys)[number];

const isOtherKey = (key: string): key is OtherKey => otherKeys.some((each) => each === key);

/**
 * Finds the records of a body by its brackets, without parsing them.
 * @throws RedoubtError 400 if the body does not have this format; it names the wrong record
 */
export function parseWriteBody(body: Uint8Array, shape: WriteBodyFormat): WriteBody {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parsed = shape === 'array' ? parseArray(bytes) : parseEnvelope(bytes);
  if (!isUtf8(bytes)) throw notUtf8(parsed);
  return parsed;
}

/**
 * Records are found before UTF-8 is checked. This is safe, because no byte of another character equals an ASCII
 * character.
 */
function notUtf8({ bytes, slices }: WriteBody): Error {
  const index = slices.starts.findIndex((start, at) => !isUtf8(bytes.subarray(start, slices.ends[at])));
  return index === -1
    ? badRequest('The body must be valid UTF-8, got other bytes. Send JSON in UTF-8.')
    : recordError(index, 'must be valid UTF-8, got other bytes. Send JSON in UTF-8.');
}

function parseArray(bytes: Buffer): WriteBody {
  const from = skipWhitespace(bytes, 0);
  if (bytes[from] !== 0x5b) {
    throw badRequest(`The body must be a JSON array of records, but begins with ${found(bytes, from)}.`);
  }
  const { slices, end } = scanRecords(bytes, from);
  requireEnd(bytes, end);
  return writeBody(bytes, slices, new Map());
}

function parseEnvelope(bytes: Buffer): WriteBody {
  let at = skipWhitespace(bytes, 0);
  if (bytes[at] !== 0x7b) {
    throw badRequest(
      `The body must be an object with the key "records", but begins with ${found(bytes, at)}.`,
    );
  }
  let slices: RecordOffsets | undefined;
  const rest = new Map<OtherKey, unknown>();
  at = skipWhitespace(bytes, at + 1);
  while (bytes[at] !== 0x7d) {
    const member = readKey(bytes, at);
    if (member.key === 'records') {
      if (slices !== undefined)
        throw invalidField({
          field: 'records',
          expected: 'present once',
          got: 'it twice',
          advice: 'Send it once.',
        });
      if (bytes[member.valueAt] !== 0x5b) {
        const got = found(bytes, member.valueAt);
        throw invalidField({
          field: 'records',
          expected: 'a JSON array',
          got,
          advice: 'Send an array of records.',
        });
      }
      const scanned = scanRecords(bytes, member.valueAt);
      slices = scanned.slices;
      at = scanned.end;
    } else {
      at = readOther(bytes, member, rest);
    }
    at = skipWhitespace(bytes, at);
    if (bytes[at] === 0x2c) {
      at = skipWhitespace(bytes, at + 1);
      if (bytes[at] === 0x7d) throw badRequest('Invalid JSON: expected a key after "," in the body.');
    } else if (bytes[at] !== 0x7d) {
      throw badRequest(`Invalid JSON: expected "," or "}" in the body, found ${found(bytes, at)}.`);
    }
  }
  requireEnd(bytes, at + 1);
  if (slices === undefined)
    throw invalidField({
      field: 'records',
      expected: 'a JSON array',
      got: 'nothing',
      advice: 'Send an array of records.',
    });
  return writeBody(bytes, slices, rest);
}

const writeBody = (bytes: Buffer, slices: RecordOffsets, rest: Map<OtherKey, unknown>): WriteBody => ({
  bytes,
  slices,
  count: slices.starts.length,
  securityLabelInfo: rest.get('securityLabelInfo'),
  columnSecurityLabelInfo: rest.get('columnSecurityLabelInfo'),
});

interface Member {
  key: string;
  valueAt: number;
}

function readKey(bytes: Buffer, from: number): Member {
  const end = bytes[from] === 0x22 ? skipValue(bytes, from) : -1;
  if (end < 0) throw badRequest(`Invalid JSON: expected a key in quotes, found ${found(bytes, from)}.`);
  const key = readJson(bytes, from, end);
  const colon = skipWhitespace(bytes, end);
  if (typeof key !== 'string' || bytes[colon] !== 0x3a) {
    throw badRequest(`Invalid JSON: expected ":" after the key ${bytes.toString('utf8', from, end)}.`);
  }
  return { key, valueAt: skipWhitespace(bytes, colon + 1) };
}

function readOther(bytes: Buffer, { key, valueAt }: Member, rest: Map<OtherKey, unknown>): number {
  if (!isOtherKey(key)) {
    throw badRequest(
      `${JSON.stringify(key)} is no key of a write; the keys are records, ${otherKeys.join(', ')}.`,
    );
  }
  if (rest.has(key))
    throw invalidField({ field: key, expected: 'present once', got: 'it twice', advice: 'Send it once.' });
  const end = skipValue(bytes, valueAt);
  if (end === -1)
    throw invalidField({
      field: key,
      expected: 'valid JSON',
      got: 'a body that ends inside it',
      advice: 'Send the whole body.',
    });
  if (end === -2)
    throw invalidField({
      field: key,
      expected: `nested at most ${String(maxNesting)} levels deep`,
      got: 'more',
      advice: 'Send fewer levels.',
    });
  const value = readJson(bytes, valueAt, end);
  const twice = duplicateKey(bytes.toString('utf8', valueAt, end));
  if (twice !== undefined) {
    const message = `${key} must have the key ${JSON.stringify(twice)} once, got it twice. Send it once.`;
    throw securityError(message, [{ field: key, message }]);
  }
  rest.set(key, value);
  return end;
}

function readJson(bytes: Buffer, from: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, end));
  } catch {
    throw badRequest(`The body must be valid JSON, got ${excerptAt(bytes, from)}. Send valid JSON.`);
  }
}

function requireEnd(bytes: Buffer, end: number): void {
  const at = skipWhitespace(bytes, end);
  if (at < bytes.length)
    throw badRequest(`Invalid JSON: expected the end of the body, found ${found(bytes, at)}.`);
}

const found = (bytes: Buffer, at: number): string =>
  at >= bytes.length ? 'the end of the body' : excerptAt(bytes, at);
