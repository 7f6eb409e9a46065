import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';

/** The body of a response: a buffer is sent at once with its length, a stream in chunks. */
export type ResponseBody = Buffer | Readable;

/** A page of fewer bytes is sent as one buffer. */
export const maxBufferedBytes = 64 * 1024;

/** Runs every step of the generator in the async context of the current request, even if the chunks are read elsewhere. */
async function* bindToRequest(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const run = AsyncLocalStorage.snapshot();
  let isDone = false;
  try {
    for (;;) {
      const step = await run(() => chunks.next());
      if (step.done === true) {
        isDone = true;
        return;
      }
      yield step.value;
    }
  } finally {
    if (!isDone) await chunks.return(undefined);
  }
}

const nothing = new Uint8Array();

/**
 * Cuts chunks into pieces of `maxBufferedBytes`; only the last one is smaller. The engine reads blocks of a fixed number of
 * rows and leaves out hidden ones, so the sizes of its chunks would disclose how many rows are hidden between the visible ones.
 * The first piece is empty and comes as soon as there is anything.
 */
async function* cutIntoPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let hasBegun = false;
  for await (const chunk of chunks) {
    if (!hasBegun && chunk.length > 0) {
      hasBegun = true;
      yield nothing;
    }
    let from = 0;
    while (size + chunk.length - from >= maxBufferedBytes) {
      const until = from + maxBufferedBytes - size;
      yield Buffer.concat([...waiting, chunk.subarray(from, until)], maxBufferedBytes);
      waiting = [];
      size = 0;
      from = until;
    }
    if (from < chunk.length) waiting.push(chunk.subarray(from));
    size += chunk.length - from;
  }
  if (size > 0) yield Buffer.concat(waiting, size);
}

/**
 * Starts a response body. A page is read until it is complete or has `maxBufferedBytes`; anything else until its first
 * chunk arrives. An error before that becomes an error response; a later one breaks the connection.
 */
export const collectResponseBody = async (
  source: AsyncGenerator<Uint8Array>,
  isPage: boolean,
): Promise<ResponseBody> => {
  const pieces = bindToRequest(cutIntoPieces(source));
  const needed = isPage ? maxBufferedBytes : 0;
  let collected: Uint8Array = nothing;
  do {
    const result = await pieces.next();
    if (result.done === true) return Buffer.from(collected);
    collected = Buffer.concat([collected, result.value]);
  } while (collected.length < needed);
  // The generator has already started, so destroying the stream also runs its `finally` blocks.
  const body = Readable.from(pieces, { objectMode: false });
  if (collected.length > 0) body.push(collected);
  return body;
};
