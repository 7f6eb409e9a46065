import { errorCatalogue, type ErrorName } from './catalogue.ts';

/** One fault in one input field. `field` is a path such as `records.3.city` or `$sort.name`. */
export interface FieldError {
  field: string;
  message: string;
}

/** The body of every error answer. */
export interface WireError {
  name: ErrorName;
  message: string;
  code: number;
  errors?: FieldError[];
}

/** An error that a caller is meant to read: its message leaves the server as it is. */
export class RedoubtError extends Error {
  override readonly name: ErrorName;
  /** The HTTP status. */
  readonly code: number;
  readonly errors: FieldError[] | undefined;
  /** Seconds after which it makes sense to try again; sent as the header Retry-After. */
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
