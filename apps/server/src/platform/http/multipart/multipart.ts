import { badRequest } from '@redoubt/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseHeaderValue } from './header-value.ts';
import { readParts, type Part } from './read-parts.ts';

export type { Part };

const mediaType = 'multipart/form-data';

/** Makes the handlers of an instance get requests of multipart/form-data before their body is read. */
export const acceptMultipart = (app: FastifyInstance): void => {
  app.addContentTypeParser(mediaType, (_request, _payload, done) => done(null));
};

const wrongType = (problem: string): Error => badRequest(`The body must be multipart/form-data: ${problem}.`);

/** The characters and the length that RFC 2046 permits. */
const boundaryPattern = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** @throws RedoubtError 400 for another type, or a type without a boundary */
const boundaryOf = (contentType: string | undefined): string => {
  if (contentType === undefined) throw wrongType('got no content type');
  const { value, parameters } = parseHeaderValue('Content-Type', contentType, wrongType);
  if (value !== mediaType) throw wrongType(`got ${contentType}`);
  const boundary = parameters.get('boundary') ?? '';
  if (!boundaryPattern.test(boundary))
    throw wrongType(
      `Content-Type must have a boundary of 1 to 70 letters, digits or signs, got ${JSON.stringify(boundary)}`,
    );
  return boundary;
};

/**
 * Reads a multipart body part by part. If `read` fails, the rest of the body is discarded as it arrives.
 * @param keep called with the size of each text before it is kept in memory
 * @throws RedoubtError 400 for a body of another type
 */
export const partsOf = async <Result>(
  request: FastifyRequest,
  keep: (bytes: number) => void,
  read: (parts: AsyncIterable<Part>) => Promise<Result>,
): Promise<Result> => {
  const boundary = boundaryOf(request.headers['content-type']);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw badRequest(
      `Content-Encoding "${encoding}" is not supported for multipart/form-data. Send it plain.`,
    );
  }
  const chunks = request.raw.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  try {
    return await read(readParts(chunks, boundary, keep));
  } catch (error) {
    await chunks.return?.();
    request.raw.resume();
    throw error;
  }
};
