import { RedoubtError, badRequest, tooLarge, type WireError } from '@redoubt/errors';
import type { FastifyError } from 'fastify';

/** Translates Fastify's own errors into errors of the catalogue. */
const fromFastify = (error: FastifyError): RedoubtError | undefined => {
  if (error.statusCode === 413) return tooLarge(`The body is too large: ${error.message}.`);
  if (error.statusCode === undefined || error.statusCode >= 500) return undefined;
  return badRequest(`The request cannot be read: ${error.message}.`);
};

/** PostgreSQL's error code for a text that it cannot store. */
const unstorableText = '22021';

/** PostgreSQL's error code for a reference to a row that does not exist. */
const missingReference = '23503';

/**
 * Translates errors of the metadata database that a request can cause. Only input can contain the character NUL.
 * Services look up the objects that a request names, so a reference fails only if the object was removed in between.
 */
const fromDatabase = (error: Error): RedoubtError | undefined => {
  switch ('code' in error ? error.code : undefined) {
    case unstorableText:
      return badRequest(
        'Texts must not contain the character NUL, got one that does. Leave the character out.',
      );
    case missingReference:
      return new RedoubtError(
        'NotFoundError',
        'An object that the request names was removed while the request ran. Look it up again.',
      );
    default:
      return undefined;
  }
};

/**
 * The response body for an error: catalogue errors as they are; anything else becomes a 500 that discloses only the
 * request id under which the log has the cause.
 */
export const toErrorResponse = (
  error: unknown,
  requestId: string,
): { wire: WireError; unexpected: boolean } => {
  if (error instanceof RedoubtError) return { wire: error.toWire(), unexpected: false };
  const known =
    error instanceof Error
      ? (fromDatabase(error) ?? ('statusCode' in error ? fromFastify(error as FastifyError) : undefined))
      : undefined;
  if (known !== undefined) return { wire: known.toWire(), unexpected: false };
  const message = `Something went wrong in the server. Its log has the cause under the id ${requestId}.`;
  return { wire: new RedoubtError('InternalServerError', message).toWire(), unexpected: true };
};
