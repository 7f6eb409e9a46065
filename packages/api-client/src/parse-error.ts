import {
  errorCatalogue,
  RedoubtError,
  type ErrorName,
  type ErrorPosition,
  type FieldError,
} from '@redoubt/errors';

const isErrorName = (name: unknown): name is ErrorName =>
  typeof name === 'string' && Object.hasOwn(errorCatalogue, name);

const isFieldError = (value: unknown): value is FieldError =>
  typeof value === 'object' &&
  value !== null &&
  'field' in value &&
  'message' in value &&
  typeof value.field === 'string' &&
  typeof value.message === 'string';

const isPosition = (value: unknown): value is ErrorPosition =>
  typeof value === 'object' &&
  value !== null &&
  'offset' in value &&
  'length' in value &&
  Number.isSafeInteger(value.offset) &&
  Number.isSafeInteger(value.length);

/** The error for a missing or incomplete response, or for the response of a server that is not Redoubt. */
export const noResponse = (call: string, reason: string, code = 502): RedoubtError =>
  new RedoubtError('HttpClientError', `${call}: ${reason}`, { code });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Turns an error response into the error to throw. A body of another form gives an HttpClientError. */
export const parseError = (call: string, status: number, text: string): RedoubtError => {
  const wire = parse(text);
  if (
    typeof wire !== 'object' ||
    wire === null ||
    !('name' in wire) ||
    !('message' in wire) ||
    !isErrorName(wire.name)
  ) {
    return noResponse(
      call,
      `the response with status ${status} must be an error of a Redoubt server, got another body. Check the address of the server.`,
      status,
    );
  }
  const errors =
    'errors' in wire && Array.isArray(wire.errors) ? wire.errors.filter(isFieldError) : undefined;
  return new RedoubtError(wire.name, String(wire.message), {
    code: status,
    ...(errors === undefined ? {} : { errors }),
    ...('position' in wire && isPosition(wire.position) && { position: wire.position }),
    ...('hint' in wire && typeof wire.hint === 'string' && { hint: wire.hint }),
  });
};
