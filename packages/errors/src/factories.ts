import { RedoubtError, type FieldError } from './redoubt-error.ts';

/** 400: the input is wrong. Name the field and the value that was sent. */
export const badRequest = (message: string, errors?: FieldError[]): RedoubtError =>
  new RedoubtError('BadRequestError', message, errors === undefined ? {} : { errors });

/** 400 for one field: `message` says what was sent and what is expected. */
export const badField = (field: string, message: string): RedoubtError =>
  badRequest(`${field}: ${message}`, [{ field, message }]);

/** 409: a name or an address is taken. */
export const conflict = (message: string): RedoubtError =>
  new RedoubtError('BadRequestError', message, { code: 409 });

/** 413: the input is larger than the limit. */
export const tooLarge = (message: string): RedoubtError =>
  new RedoubtError('BadRequestError', message, { code: 413 });

/** 401: no valid credential. */
export const unauthenticated = (message: string): RedoubtError => new RedoubtError('AuthError', message);

/** 403: the actor sees the thing, but may not do this to it. */
export const forbidden = (message: string): RedoubtError => new RedoubtError('ForbiddenError', message);

/** 404: there is no such thing for this actor, whether it is absent or somebody else's. */
export const notFound = (kind: string, id: string): RedoubtError =>
  new RedoubtError('NotFoundError', `There is no ${kind} with id "${id}".`);

/** 400: a label, a label parser or a column label is wrong. */
export const securityError = (message: string, errors?: FieldError[]): RedoubtError =>
  new RedoubtError('SecurityError', message, errors === undefined ? {} : { errors });

/** 501: documented, and not offered by this server. */
export const notImplemented = (message: string): RedoubtError =>
  new RedoubtError('NotImplementedError', message);

/** 429: too many requests, or too many failed ones. Say when to try again. */
export const tooMany = (message: string, retrySeconds: number): RedoubtError =>
  new RedoubtError('ForbiddenError', message, { code: 429, retrySeconds });
