/** What keeps a statement from being compiled; it becomes an error with a position that people can count to. */
export class SqlFault extends Error {
  readonly kind: 'invalid' | 'unsupported' | 'unknown-table';
  /** Byte offset in the statement. */
  readonly at: number;

  constructor(kind: SqlFault['kind'], message: string, at: number) {
    super(message);
    this.name = 'SqlFault';
    this.kind = kind;
    this.at = at;
  }
}

/** PostgreSQL would refuse it too. The message is a sentence without its full stop. */
export const invalid = (message: string, at: number): SqlFault => new SqlFault('invalid', message, at);

/** PostgreSQL takes it and we do not. `construct` names it: "the function to_char". */
export const unsupported = (construct: string, at: number): SqlFault =>
  new SqlFault('unsupported', construct, at);
