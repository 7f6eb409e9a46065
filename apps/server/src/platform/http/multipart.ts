import multipart, { type FastifyMultipartBaseOptions, type Multipart } from '@fastify/multipart';
import { badRequest } from '@redoubt/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Makes the handlers of an instance get requests of multipart/form-data before their body is read. */
export const acceptMultipart = async (app: FastifyInstance): Promise<void> => {
  // The code that reads a file checks itself whether the file was truncated at the limit.
  await app.register(multipart, { throwFileSizeLimit: false });
};

/**
 * Reads a multipart body part by part. If `read` fails, the rest of the body is discarded as it arrives.
 * @throws RedoubtError 400 for a body of another type
 */
export const partsOf = async <Result>(
  request: FastifyRequest,
  limits: NonNullable<FastifyMultipartBaseOptions['limits']>,
  read: (parts: AsyncIterable<Multipart>) => Promise<Result>,
): Promise<Result> => {
  if (!request.isMultipart()) {
    throw badRequest(
      `The body must be multipart/form-data, got ${request.headers['content-type'] ?? 'no content type'}.`,
    );
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw badRequest(
      `Content-Encoding "${encoding}" is not supported for multipart/form-data. Send it plain.`,
    );
  }
  try {
    return await read(request.parts({ limits }));
  } catch (error) {
    request.raw.unpipe();
    request.raw.resume();
    throw error;
  }
};
