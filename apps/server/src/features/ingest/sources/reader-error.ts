/**
 * What failed in a source, as the process that reads it describes it to the person who started the job. The message
 * never contains a password.
 */
export class ReaderError extends Error {
  /** Whether there was no connection, so that the message has nothing of what was read. */
  readonly isUnreachable: boolean;

  constructor(message: string, { isUnreachable = false } = {}) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}
