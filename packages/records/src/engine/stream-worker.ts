import { parentPort } from 'node:worker_threads';
import { Session } from 'chdb';
import type { StreamReply, StreamCommand } from './stream-messages.ts';

interface Running {
  session: Session;
  chunks: AsyncIterator<{ raw(): Uint8Array }>;
}

let running: Running | undefined;

function start({ path, before, sql, format }: Extract<StreamCommand, { kind: 'start' }>): Running {
  const session = new Session(path);
  try {
    session.query(before);
    return { session, chunks: session.queryStream(sql, { format })[Symbol.asyncIterator]() };
  } catch (error) {
    session.close();
    throw error;
  }
}

async function stop(): Promise<void> {
  const { session, chunks } = running ?? {};
  running = undefined;
  await chunks?.return?.();
  session?.close();
}

async function respond(order: StreamCommand): Promise<StreamReply> {
  if (order.kind === 'start') running = start(order);
  if (order.kind !== 'stop') {
    const next = await running?.chunks.next();
    if (next !== undefined && next.done !== true) return { chunk: new Uint8Array(next.value.raw()) };
  }
  await stop();
  return {};
}

const errorReply = (error: unknown): StreamReply => ({
  error: {
    message: error instanceof Error ? error.message : '',
    code: error instanceof Error && 'code' in error ? error.code : undefined,
  },
});

async function serve(order: StreamCommand): Promise<void> {
  let done: StreamReply;
  try {
    done = await respond(order);
  } catch (error) {
    await stop().catch(() => undefined);
    done = errorReply(error);
  }
  parentPort?.postMessage(done, done.chunk?.buffer instanceof ArrayBuffer ? [done.chunk.buffer] : []);
}

parentPort?.on('message', (order: StreamCommand) => {
  void serve(order);
});
