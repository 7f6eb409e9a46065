import { truncateForMessage } from '@redoubt/contract';
import { badRequest, invalidField, tooLarge } from '@redoubt/errors';
import { duplicateKey } from '@redoubt/records';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/**
 * Reads a request body and decompresses it if it is gzip.
 * @param limit maximum size in bytes after decompression
 * @throws RedoubtError 413 beyond the limit, before the rest is read; 400 for invalid gzip or another encoding
 */
export const readBody = async (
  payload: Readable,
  encoding: string | undefined,
  limit: number,
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decompress(payload, encoding)) {
      size += (chunk as Buffer).length;
      if (size > limit)
        throw tooLarge(
          `The body must have at most ${limit} bytes after decompression, got more. Send it in parts.`,
        );
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw badRequest(
        'The body must be valid gzip because of its header Content-Encoding: gzip. Send it as gzip or leave the header out.',
      );
    }
    throw error;
  }
  return Buffer.concat(chunks, size);
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
 * Parses a body as JSON; an absent body is undefined.
 * @throws RedoubtError 400 for invalid JSON or a duplicate key: one of its values would be ignored, and it may be the
 * one that restricts the request
 */
export const parseJsonBody = (body: Buffer | undefined): unknown => {
  if (body === undefined || body.length === 0) return undefined;
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
