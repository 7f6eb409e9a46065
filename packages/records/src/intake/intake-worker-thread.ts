import { Worker } from 'node:worker_threads';
import {
  deserializeError,
  type WorkerResult,
  type WorkerReply,
  type WorkerTask,
} from './intake-worker-messages.ts';

/** A thread that runs one task after another. */
export interface WorkerThread {
  request(task: WorkerTask, transfer?: ArrayBuffer[]): Promise<WorkerResult>;
  readonly isDead: boolean;
  stop(): Promise<void>;
}

interface Waiting {
  resolve: (result: WorkerResult) => void;
  reject: (error: Error) => void;
}

const ended = (): Error => new Error('The thread that parses large writes has ended.');

/** Starts the thread. It does not keep the process alive. If it dies, all waiting tasks are rejected. */
export function startWorkerThread(): WorkerThread {
  const worker = new Worker(new URL('./intake-worker.ts', import.meta.url));
  worker.unref();
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  let isDead = false;

  function die(error: Error): void {
    isDead = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  worker.on('message', (reply: WorkerReply) => {
    const entry = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) worker.unref();
    if ('error' in reply) entry?.reject(deserializeError(reply.error));
    else entry?.resolve(reply.result);
  });
  worker.on('error', die);
  worker.on('exit', () => {
    die(ended());
  });

  return {
    get isDead() {
      return isDead;
    },
    request: async (task, transfer = []) =>
      new Promise((resolve, reject) => {
        // A dead thread would never reply.
        if (isDead) {
          reject(ended());
          return;
        }
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ id, task }, transfer);
      }),
    async stop() {
      await worker.terminate();
    },
  };
}
