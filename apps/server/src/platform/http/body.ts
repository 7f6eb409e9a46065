import { truncateForMessage } from '@redoubt/contract';
import { badField, badRequest, tooLarge } from '@redoubt/errors';
import { duplicateKey } from '@redoubt/records';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/**
 * Reads a request body, unpacked where it is gzip.
 * @param limit bytes of the unpacked body; beyond it 413, before the rest is read
 */
export const readBody = async (
  payload: Readable,
  encoding: string | undefined,
  limit: number,
): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpack(payload, encoding)) {
      size += (chunk as Buffer).length;
      if (size > limit)
        throw tooLarge(`The body is larger than ${limit} bytes (unpacked): send it in parts.`);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw badRequest('The body says Content-Encoding: gzip and is not valid gzip.');
    }
    throw error;
  }
  return Buffer.concat(chunks, size);
};

const unpack = (payload: Readable, encoding: string | undefined): Readable => {
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
      throw badRequest(`Content-Encoding "${encoding}" is not supported: send the body plain or as gzip.`);
  }
};

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON value of a body; an absent body is undefined.
 * @throws RedoubtError 400 when it is no JSON, or has a key twice: one of the two would not be honoured, and it may be
 * the one that narrows what is asked
 */
export const parseJsonBody = (body: Buffer | undefined): unknown => {
  if (body === undefined || body.length === 0) return undefined;
  const { text, value } = readJson(body);
  const twice = duplicateKey(text);
  if (twice !== undefined) throw badField(truncateForMessage(twice), 'the key is there twice; send it once.');
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
