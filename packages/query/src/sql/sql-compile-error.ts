import { RedoubtError } from '@redoubt/errors';

/** What keeps a statement from being compiled; it becomes an error with a position that people can count to. */
export class SqlCompileError extends Error {
  readonly kind: 'invalid' | 'unsupported' | 'unknown-table';
  /** Byte offset in the statement. */
  readonly at: number;
  /** A sentence that says what to write instead. */
  readonly instead: string | undefined;

  constructor(kind: SqlCompileError['kind'], message: string, at: number, instead?: string) {
    super(message);
    this.name = 'SqlFault';
    this.kind = kind;
    this.at = at;
    this.instead = instead;
  }
}

/** PostgreSQL would refuse it too. The message is a sentence without its full stop. */
export const invalidSql = (message: string, at: number): SqlCompileError =>
  new SqlCompileError('invalid', message, at);

/**
 * PostgreSQL takes it and we do not.
 * @param construct names it: "the function to_char"
 * @param instead a sentence that says what to write instead
 */
export const unsupportedSql = (construct: string, at: number, instead: string): SqlCompileError =>
  new SqlCompileError('unsupported', construct, at, instead);

/** The error for a statement that PostgreSQL takes and this server does not. To a caller it is a SqlParseError like others. */
export class UnsupportedSqlError extends RedoubtError {
  constructor(message: string) {
    super('SqlParseError', message);
  }
}
