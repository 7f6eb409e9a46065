import { errorCatalogue, type ErrorName } from './catalogue.ts';

/** One error in one input field. `field` is a path such as `records.3.city` or `$sort.name`. */
export interface FieldError {
  field: string;
  message: string;
}

/** The body of every error response. */
export interface WireError {
  name: ErrorName;
  message: string;
  code: number;
  errors?: FieldError[];
}

/**
 * An error that the requester reads: its message is sent as it is. Its HTTP status is the first one that the catalogue
 * lists for its name, unless `options.code` names another.
 */
export class RedoubtError extends Error {
  override readonly name: ErrorName;
  /** The HTTP status. */
  readonly code: number;
  readonly errors: FieldError[] | undefined;
  /** After how many seconds a retry makes sense; sent as the header Retry-After. */
  readonly retrySeconds: number | undefined;

  constructor(
    name: ErrorName,
    message: string,
    options: { code?: number; errors?: FieldError[]; retrySeconds?: number } = {},
  ) {
    super(message);
    this.name = name;
    this.code = options.code ?? errorCatalogue[name][0];
    this.errors = options.errors;
    this.retrySeconds = options.retrySeconds;
  }

  toWire(): WireError {
    const wire: WireError = { name: this.name, message: this.message, code: this.code };
    return this.errors === undefined ? wire : { ...wire, errors: this.errors };
  }
}
