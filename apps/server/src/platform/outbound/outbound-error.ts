/** A call to another host that failed. The message does not disclose the addresses of its name. */
export class OutboundError extends Error {}
