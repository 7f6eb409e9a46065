/** A command to the thread of a stream, which replies to each with one `StreamReply`. */
export type StreamCommand =
  | { kind: 'start'; path: string; before: string; sql: string; format: string }
  | { kind: 'next' }
  | { kind: 'stop' };

/** `chunk` is absent at the end of the stream. `error` is an error of chdb, which the receiver converts. */
export interface StreamReply {
  chunk?: Uint8Array;
  error?: { message: string; code: unknown };
}
