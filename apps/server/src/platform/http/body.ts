import { truncateForMessage } from '@redoubt/contract';
import { badRequest, invalidField, tooLarge } from '@redoubt/errors';
import { duplicateKey } from '@redoubt/records';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { collectBytes } from './collect-bytes.ts';

/**
 * Reads a request body and decompresses it if it is gzip.
 * @param limit maximum size in bytes after decompression
 * @param keep called with the size of each chunk before it is kept in memory; an error of it ends the reading
 * @throws RedoubtError 413 beyond the limit, before the rest is read; 400 for invalid gzip or another encoding
 */
export const readBody = async (
  payload: Readable,
  encoding: string | undefined,
  limit: number,
  keep: (bytes: number) => void,
): Promise<Buffer> => {
  const collected = collectBytes();
  let size = 0;
  try {
    for await (const chunk of decompress(payload, encoding) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit)
        throw tooLarge(
          `The body must have at most ${limit} bytes after decompression, got more. Send it in parts.`,
        );
      keep(chunk.length);
      collected.add(chunk);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw badRequest(
        'The body must be valid gzip because of its header Content-Encoding: gzip. Send it as gzip or leave the header out.',
      );
    }
    throw error;
  }
  return collected.bytes();
};

const decompress = (payload: Readable, encoding: string | undefined): Readable => {
  switch (encoding?.trim().toLowerCase() ?? 'identity') {
    case '':
    case 'identity':
      return payload;
    case 'gzip':
    case 'x-gzip': {
      const gunzip = createGunzip();
      payload.on('error', (error) => gunzip.destroy(error));
      return payload.pipe(gunzip);
    }
    default:
      throw badRequest(
        `Content-Encoding must be gzip or absent, got "${encoding}". Send the body uncompressed or as gzip.`,
      );
  }
};

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Maximum number of values in the objects and lists of a JSON body. The main thread parses it, and values cost
 * more than bytes.
 */
export const maxJsonValues = 100_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Whether a text has more commas and brackets than a JSON text with `maxJsonValues` values in objects and lists. */
const hasTooManyValues = (body: Buffer): boolean => {
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte === quote) at = endOfString(body, at);
    // The bits 0x20 tell braces from brackets.
    else if (byte === comma || (byte & 0xdf) === 0x5b) values++;
    if (values > maxJsonValues) return true;
  }
  return false;
};

/** The index of the quote that ends a string. */
const endOfString = (body: Buffer, from: number): number => {
  for (let at = body.indexOf(quote, from + 1); at !== -1; at = body.indexOf(quote, at + 1)) {
    let before = at;
    while (body[before - 1] === backslash) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return body.length;
};

/**
 * Parses a body as JSON; an absent body is undefined.
 * @throws RedoubtError 413 for more values than `maxJsonValues`; 400 for invalid JSON or a duplicate key: one of its
 * values would be ignored, and it may be the one that restricts the request
 */
export const parseJsonBody = (body: Buffer | undefined): unknown => {
  if (body === undefined || body.length === 0) return undefined;
  if (hasTooManyValues(body))
    throw tooLarge(
      `The body must have at most ${maxJsonValues} values in its objects and lists, got more. Send it in several requests.`,
    );
  const { text, value } = readJson(body);
  const duplicate = duplicateKey(text);
  if (duplicate !== undefined)
    throw invalidField({
      field: truncateForMessage(duplicate),
      expected: 'sent once',
      got: 'the key twice',
      advice: 'Remove one of the two.',
    });
  return value;
};

const readJson = (body: Buffer): { text: string; value: unknown } => {
  try {
    const text = decoder.decode(body);
    return { text, value: JSON.parse(text) as unknown };
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}.`);
  }
};
