import { Worker } from 'node:worker_threads';
import type { StreamReply, StreamCommand } from './stream-messages.ts';

interface StreamThread {
  readonly isDead: boolean;
  request(order: StreamCommand): Promise<StreamReply>;
}

/** Idle threads. They keep running until the process ends, because the library of the engine cannot be unloaded. */
const idle: StreamThread[] = [];

/**
 * Streams a statement on another thread. The engine prepares a stream on the calling thread and evaluates scalar
 * subqueries meanwhile, which may take minutes and would block all other requests.
 * @param before the first statement on the connection
 */
export async function* streamAside(
  path: string,
  before: string,
  sql: string,
  format: string,
): AsyncGenerator<Uint8Array> {
  const thread = idle.pop() ?? startThread();
  let isRunning = true;
  try {
    for (
      let order: StreamCommand = { kind: 'start', path, before, sql, format };
      ;
      order = { kind: 'next' }
    ) {
      const { chunk, error } = await thread.request(order);
      if (chunk === undefined) isRunning = false;
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    if (isRunning && !thread.isDead) await thread.request({ kind: 'stop' });
    if (!thread.isDead) idle.push(thread);
  }
}

function startThread(): StreamThread {
  const worker = new Worker(new URL('./stream-worker.ts', import.meta.url));
  let waiting: { resolve: (result: StreamReply) => void; reject: (reason: Error) => void } | undefined;
  let isDead = false;
  const die = (reason: Error): void => {
    isDead = true;
    waiting?.reject(reason);
  };
  worker.on('message', (result: StreamReply) => {
    worker.unref();
    waiting?.resolve(result);
    waiting = undefined;
  });
  worker.once('error', die);
  worker.once('exit', () => die(new Error('The thread of a stream has ended.')));
  worker.unref();
  return {
    get isDead() {
      return isDead;
    },
    request: async (order) =>
      new Promise((resolve, reject) => {
        if (isDead) return reject(new Error('The thread of a stream has ended.'));
        waiting = { resolve, reject };
        worker.ref();
        worker.postMessage(order);
      }),
  };
}
