import { errorCatalogue, type ErrorName } from './catalogue.ts';

/** One error in one input field. `field` is a path such as `records.3.city` or `$sort.name`. */
export interface FieldError {
  field: string;
  message: string;
}

/**
 * A part of an expression, in characters (code points). `offset` counts from 0; at the end of the text `length` is 0.
 */
export interface ErrorPosition {
  offset: number;
  length: number;
}

/** The body of every error response. */
export interface WireError {
  name: ErrorName;
  message: string;
  code: number;
  errors?: FieldError[];
  /** The part of the expression that does not parse. */
  position?: ErrorPosition;
  /** What to write instead. It never depends on what the requester cannot see. */
  hint?: string;
}

/** What a RedoubtError has besides its name and message. */
export interface ErrorDetails {
  code?: number;
  errors?: FieldError[];
  retrySeconds?: number;
  position?: ErrorPosition | undefined;
  hint?: string | undefined;
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
  readonly position: ErrorPosition | undefined;
  readonly hint: string | undefined;

  constructor(name: ErrorName, message: string, options: ErrorDetails = {}) {
    super(message);
    this.name = name;
    this.code = options.code ?? errorCatalogue[name][0];
    this.errors = options.errors;
    this.retrySeconds = options.retrySeconds;
    this.position = options.position;
    this.hint = options.hint;
  }

  toWire(): WireError {
    return {
      name: this.name,
      message: this.message,
      code: this.code,
      ...(this.errors !== undefined && { errors: this.errors }),
      ...(this.position !== undefined && { position: this.position }),
      ...(this.hint !== undefined && { hint: this.hint }),
    };
  }
}
