/** A call to another host that did not come to an answer. The message says nothing of where its name leads. */
export class OutboundError extends Error {}
