import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { freeMemory } from './free-memory.ts';
import { parseWriteInThread, type ParsedWrite } from './intake.ts';
import {
  serializeError,
  type WorkerResult,
  type WorkerReply,
  type WorkerRequest,
  type WorkerTask,
} from './intake-worker-messages.ts';

/** A body that this thread has parsed, and owns. */
interface OwnBody {
  parsed: ParsedWrite;
  bytes: Uint8Array;
}

/**
 * Large bodies come after the queries of people, where the system has priorities of threads. The main thread keeps its
 * own.
 */
const lowerPriority = (): void => {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, 5);
  } catch {
    // Only Linux has priorities of threads.
  }
};
lowerPriority();

const bodies = new Map<number, OwnBody>();

function bodyOf(body: number): ParsedWrite {
  const own = bodies.get(body);
  if (own === undefined) throw new Error('This body was released.');
  return own.parsed;
}

async function respond(task: WorkerTask): Promise<WorkerResult> {
  switch (task.kind) {
    case 'parse': {
      const parsed = parseWriteInThread(task.bytes, task.shape);
      bodies.set(task.body, { parsed, bytes: task.bytes });
      const { count, securityLabelInfo, columnSecurityLabelInfo } = parsed;
      return { count, securityLabelInfo, columnSecurityLabelInfo };
    }
    case 'prepare':
      return bodyOf(task.body).prepare({ ...task.options, random: Buffer.from(task.options.random) });
    case 'prepareReplacements':
      return bodyOf(task.body).prepareReplacements(task.options);
    case 'rows':
      return bodyOf(task.body).rowsOf(task.which, task.prefixes);
    case 'release': {
      const own = bodies.get(task.body);
      bodies.delete(task.body);
      own?.parsed.release();
      if (own !== undefined) freeMemory(own.bytes.buffer);
      return undefined;
    }
  }
}

/** Rows have their own buffer, which is transferred to the other thread without a copy. */
function reply(message: WorkerReply): void {
  const rows = 'result' in message && message.result instanceof Uint8Array ? message.result : undefined;
  parentPort?.postMessage(message, rows?.buffer instanceof ArrayBuffer ? [rows.buffer] : []);
}

async function serve({ id, task }: WorkerRequest): Promise<void> {
  try {
    reply({ id, result: await respond(task) });
  } catch (error) {
    reply({ id, error: serializeError(error) });
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  void serve(request);
});
