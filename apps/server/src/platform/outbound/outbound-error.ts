/** A call to another host that failed. The message does not disclose the addresses of its name. */
export class OutboundError extends Error {
  /** The status of the response, if the host answered with one that is no success. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { status?: number | undefined } = {}) {
    super(message, options);
    this.status = options.status;
  }
}
