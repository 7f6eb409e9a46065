import { errorCatalogue, RedoubtError, type ErrorName, type FieldError } from '@redoubt/errors';

const isErrorName = (name: unknown): name is ErrorName =>
  typeof name === 'string' && Object.hasOwn(errorCatalogue, name);

const isFault = (fault: unknown): fault is FieldError =>
  typeof fault === 'object' &&
  fault !== null &&
  'field' in fault &&
  'message' in fault &&
  typeof fault.field === 'string' &&
  typeof fault.message === 'string';

/** What stands in place of an answer: there is none, it broke off, or it is none of a Redoubt server. */
export const noAnswer = (call: string, reason: string, code = 502): RedoubtError =>
  new RedoubtError('HttpClientError', `${call}: ${reason}`, { code });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The error that an answer with an error status carries. */
export const readError = (call: string, status: number, text: string): RedoubtError => {
  const wire = parse(text);
  if (
    typeof wire !== 'object' ||
    wire === null ||
    !('name' in wire) ||
    !('message' in wire) ||
    !isErrorName(wire.name)
  ) {
    return noAnswer(call, `the answer with status ${status} is no error of a Redoubt server.`, status);
  }
  const faults = 'errors' in wire && Array.isArray(wire.errors) ? wire.errors.filter(isFault) : undefined;
  return new RedoubtError(wire.name, String(wire.message), {
    code: status,
    ...(faults === undefined ? {} : { errors: faults }),
  });
};
