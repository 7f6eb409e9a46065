/** A fault of a source that the process reading it describes in words for people. */
export class ReaderError extends Error {
  /** Whether there was no connection, so that the message has nothing of what was read. */
  readonly isUnreachable: boolean;

  constructor(message: string, { isUnreachable = false } = {}) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}
