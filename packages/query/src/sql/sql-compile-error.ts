import { RedoubtError, type ErrorDetails } from '@redoubt/errors';

/** An error in a statement. `toSqlError` converts it to the error of the API, with a position in characters. */
export class SqlCompileError extends Error {
  readonly kind: 'invalid' | 'unsupported' | 'unknown-table';
  /** Byte offset in the statement. */
  readonly at: number;
  /** A sentence that says what to write instead. */
  readonly instead: string | undefined;

  constructor(kind: SqlCompileError['kind'], message: string, at: number, instead?: string) {
    super(message);
    this.name = 'SqlCompileError';
    this.kind = kind;
    this.at = at;
    this.instead = instead;
  }
}

/**
 * Creates the error for a statement that PostgreSQL rejects as well. The message is a sentence without a full stop.
 * @param hint a sentence that says what to write instead
 */
export const invalidSql = (message: string, at: number, hint?: string): SqlCompileError =>
  new SqlCompileError('invalid', message, at, hint);

/**
 * Creates the error for a construct that PostgreSQL supports and Redoubt does not.
 * @param construct names the construct: "the function to_char"
 * @param instead a sentence that says what to write instead
 */
export const unsupportedSql = (construct: string, at: number, instead: string): SqlCompileError =>
  new SqlCompileError('unsupported', construct, at, instead);

/** The error for a statement that PostgreSQL supports and Redoubt does not. Clients see it as a SqlParseError. */
export class UnsupportedSqlError extends RedoubtError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('SqlParseError', message, details);
  }
}
