/** What failed, for the person who started the job. The message never contains the password. */
export class DatabaseError extends Error {
  /** Whether there was no connection, so that nothing was read. */
  readonly isUnreachable: boolean;

  constructor(message: string, { isUnreachable = false } = {}) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}
