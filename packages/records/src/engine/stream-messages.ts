/** What the thread of a stream is told; each is answered by one `StreamReply`. */
export type StreamCommand =
  | { kind: 'start'; path: string; before: string; sql: string; format: string }
  | { kind: 'next' }
  | { kind: 'stop' };

/** `chunk` is absent at the end. `fault` holds the engine's own words: it is turned into an error of ours where it arrives. */
export interface StreamReply {
  chunk?: Uint8Array;
  fault?: { message: string; code: unknown };
}
