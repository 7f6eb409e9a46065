import { RedoubtError, badRequest, tooLarge, type WireError } from '@redoubt/errors';
import type { FastifyError } from 'fastify';

/** Fastify's own refusals, said in the words of the catalogue. */
const fromFastify = (error: FastifyError): RedoubtError | undefined => {
  if (error.statusCode === 413) return tooLarge(`The body is too large: ${error.message}.`);
  if (error.statusCode === undefined || error.statusCode >= 500) return undefined;
  return badRequest(`The request cannot be read: ${error.message}.`);
};

/** PostgreSQL's code for a text that it cannot keep. */
const unkeepableText = '22021';

/** PostgreSQL's code for a row that names another which is not there. */
const missingReference = '23503';

/**
 * A text with the character NUL comes this far only as input. Services look up what a request names, so that it is
 * missing only where somebody removed it between that and the change.
 */
const fromDatabase = (error: Error): RedoubtError | undefined => {
  switch ('code' in error ? error.code : undefined) {
    case unkeepableText:
      return badRequest('A text that was sent holds the character NUL, which cannot be kept: leave it out.');
    case missingReference:
      return new RedoubtError(
        'NotFoundError',
        'Something that the request names was removed while it ran: look it up again.',
      );
    default:
      return undefined;
  }
};

/**
 * What the caller reads of `error`: catalogue errors as they are, anything else as a 500 that says nothing but
 * the id under which the log has the cause.
 */
export const toErrorResponse = (
  error: unknown,
  requestId: string,
): { wire: WireError; unexpected: boolean } => {
  if (error instanceof RedoubtError) return { wire: error.toWire(), unexpected: false };
  const refused =
    error instanceof Error
      ? (fromDatabase(error) ?? ('statusCode' in error ? fromFastify(error as FastifyError) : undefined))
      : undefined;
  if (refused !== undefined) return { wire: refused.toWire(), unexpected: false };
  const message = `Something went wrong in the server; its log has the cause under id ${requestId}.`;
  return { wire: new RedoubtError('InternalServerError', message).toWire(), unexpected: true };
};
