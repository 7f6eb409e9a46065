import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';

/** The bytes of an answer: all of them, which are sent at once and with their length, or as they come. */
export type ResponseBody = Buffer | Readable;

/** Pages of fewer bytes are sent whole. */
export const maxBufferedBytes = 64 * 1024;

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
 * Pieces as an answer. It resolves when a page is whole or large, and with the first piece of anything else, which may be
 * long in coming: a fault before that is still an error answer, and one after it breaks the answer off.
 */
export const collectResponseBody = async (
  source: AsyncGenerator<Uint8Array>,
  isPage: boolean,
): Promise<ResponseBody> => {
  const pieces = inThisCall(source);
  const begun: Uint8Array[] = [];
  let size = 0;
  while (size < (isPage ? maxBufferedBytes : 1)) {
    const piece = await pieces.next();
    if (piece.done === true) return Buffer.concat(begun, size);
    begun.push(piece.value);
    size += piece.value.length;
  }
  // The pieces have begun, so a stream that is destroyed unread ends them, too.
  const answer = Readable.from(pieces, { objectMode: false });
  for (const piece of begun) if (piece.length > 0) answer.push(piece);
  return answer;
};
