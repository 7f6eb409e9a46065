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

/**
 * Starts a response body. A page is read until it is complete or has `maxBufferedBytes`; anything else until its first
 * chunk arrives. An error before that becomes an error response; a later one breaks the connection.
 */
export const collectResponseBody = async (
  source: AsyncGenerator<Uint8Array>,
  isPage: boolean,
): Promise<ResponseBody> => {
  const chunks = bindToRequest(source);
  const buffered: Uint8Array[] = [];
  let size = 0;
  while (size < (isPage ? maxBufferedBytes : 1)) {
    const result = await chunks.next();
    if (result.done === true) return Buffer.concat(buffered, size);
    buffered.push(result.value);
    size += result.value.length;
  }
  // The generator has already started, so destroying the stream also runs its `finally` blocks.
  const body = Readable.from(chunks, { objectMode: false });
  for (const chunk of buffered) if (chunk.length > 0) body.push(chunk);
  return body;
};
