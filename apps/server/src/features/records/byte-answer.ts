import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';

/** What pieces ask of the engine later is asked on behalf of the call that they answer, though its reader takes them. */
async function* inThisCall(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const run = AsyncLocalStorage.snapshot();
  let isDone = false;
  try {
    for (;;) {
      const piece = await run(() => pieces.next());
      if (piece.done === true) {
        isDone = true;
        return;
      }
      yield piece.value;
    }
  } finally {
    if (!isDone) await pieces.return(undefined);
  }
}

/**
 * Bytes as an answer. It resolves when the first are there: a fault before that is still an error answer, and one after it
 * breaks the answer off.
 */
export const byteAnswer = async (source: AsyncGenerator<Uint8Array>): Promise<Readable> => {
  const pieces = inThisCall(source);
  const first = await pieces.next();
  const answer = Readable.from(pieces, { objectMode: false });
  if (first.done !== true && first.value.length > 0) answer.push(first.value);
  return answer;
};
