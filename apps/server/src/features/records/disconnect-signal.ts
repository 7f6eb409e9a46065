import type { FastifyReply } from 'fastify';
import type { Socket } from 'node:net';

/**
 * A client that reads nothing of a pending response for this long counts as disconnected, because every pending
 * response occupies an engine connection.
 */
const stallTimeoutMilliseconds = 30_000;

/** Returns a signal that aborts when the client disconnects before the response has ended, or stops reading it. */
export const createDisconnectSignal = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  const { raw } = reply;
  if (raw.destroyed) {
    controller.abort();
    return controller.signal;
  }
  const timer =
    raw.socket === null
      ? undefined
      : setInterval(createStallCheck(raw.socket), stallTimeoutMilliseconds).unref();
  raw.once('close', () => {
    clearInterval(timer);
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
};

/** The parts of a socket that show whether the client reads. */
type StallableSocket = Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroy'>;

/** Returns a check that closes the connection if bytes are waiting and the client has read none since the previous check. */
export const createStallCheck = (socket: StallableSocket): (() => void) => {
  let sentBefore = -1;
  return () => {
    const sent = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && sent === sentBefore) socket.destroy();
    sentBefore = sent;
  };
};

/** The stall check sees a chunk as sent only when all of it is. Small chunks let slow clients show progress. */
const maxChunkBytes = 256 * 1024;

export async function* splitChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += maxChunkBytes) {
      yield chunk.subarray(from, from + maxChunkBytes);
    }
  }
}
