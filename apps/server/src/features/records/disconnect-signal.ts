import type { FastifyReply } from 'fastify';
import type { Socket } from 'node:net';

/** A reader who takes nothing of a waiting answer for so long is taken to be gone, since an answer holds an engine connection. */
const stalledMilliseconds = 30_000;

/** Aborted when the reader goes away before the answer has ended, or takes nothing of it. */
export const createDisconnectSignal = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  const { raw } = reply;
  if (raw.destroyed) {
    controller.abort();
    return controller.signal;
  }
  const timer =
    raw.socket === null ? undefined : setInterval(createStallCheck(raw.socket), stalledMilliseconds).unref();
  raw.once('close', () => {
    clearInterval(timer);
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
};

/** What of a connection tells whether its reader takes anything. */
type Taking = Pick<Socket, 'bytesWritten' | 'writableLength' | 'destroy'>;

/** Looks at a connection, and cuts it where its reader took nothing since the look before although something waited. */
export const createStallCheck = (socket: Taking): (() => void) => {
  let takenBefore = -1;
  return () => {
    const taken = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && taken === takenBefore) socket.destroy();
    takenBefore = taken;
  };
};

/** What is written in one piece counts as taken once all of it is: slow readers need small ones. */
const pieceBytes = 256 * 1024;

export async function* smallPieces(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      yield chunk.subarray(from, from + pieceBytes);
    }
  }
}
