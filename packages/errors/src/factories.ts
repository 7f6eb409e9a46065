import {
  expectedMessage,
  unknownFieldMessage,
  type Mismatch,
  type UnknownField,
} from './expected-message.ts';
import { RedoubtError, type FieldError } from './redoubt-error.ts';

/** 400: the input is wrong. Name the field and the value that was sent. */
export const badRequest = (message: string, errors?: FieldError[]): RedoubtError =>
  new RedoubtError('BadRequestError', message, errors === undefined ? {} : { errors });

const fieldError = (field: string, message: string): RedoubtError =>
  badRequest(message, [{ field, message }]);

/**
 * 400 for one field, for rules that `invalidField` cannot put into words.
 * @param predicate what follows the name of the field: `must be sent once, got it twice. Leave one out.`
 */
export const badField = (field: string, predicate: string): RedoubtError =>
  fieldError(field, `${field} ${predicate}`);

/**
 * 400 for a field whose value does not fit: "{field} must be {expected}, got {got}. {advice}"
 *
 * @example
 * if (typeof name !== 'string')
 *   throw invalidField({ field: 'name', expected: 'a text', got: describeValue(name), advice: 'Send a text.' });
 */
export const invalidField = (mismatch: Mismatch): RedoubtError =>
  fieldError(mismatch.field, expectedMessage(mismatch));

/** 400 for a field that does not exist: "{field} is not {kind}, got {got}. Use one of: {known}." */
export const unknownField = (unknown: UnknownField): RedoubtError =>
  fieldError(unknown.field, unknownFieldMessage(unknown));

/** 409: a name or an address is taken. */
export const conflict = (message: string): RedoubtError =>
  new RedoubtError('BadRequestError', message, { code: 409 });

/** 413: the input is larger than the limit. */
export const tooLarge = (message: string): RedoubtError =>
  new RedoubtError('BadRequestError', message, { code: 413 });

/** 401: no valid credential. */
export const unauthenticated = (message: string): RedoubtError => new RedoubtError('AuthError', message);

/** 403: the object is visible to the actor, who may not do this to it. */
export const forbidden = (message: string): RedoubtError => new RedoubtError('ForbiddenError', message);

/** 404: the object does not exist, is hidden or belongs to another workspace; the error is the same. */
export const notFound = (kind: string, id: string): RedoubtError =>
  new RedoubtError('NotFoundError', `There is no ${kind} with id "${id}".`);

/** 400: a label, a label parser or a column label is wrong. */
export const securityError = (message: string, errors?: FieldError[]): RedoubtError =>
  new RedoubtError('SecurityError', message, errors === undefined ? {} : { errors });

/** 501: the API documents it, but this server does not offer it. */
export const notImplemented = (message: string): RedoubtError =>
  new RedoubtError('NotImplementedError', message);

/** 429: too many requests, or too many failed ones. The message says when a retry makes sense. */
export const tooMany = (message: string, retrySeconds: number): RedoubtError =>
  new RedoubtError('ForbiddenError', message, { code: 429, retrySeconds });
