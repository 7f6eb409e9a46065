import { parentPort } from 'node:worker_threads';
import { parseWriteInThread, type ParsedWrite } from './intake.ts';
import {
  serializeError,
  type WorkerResult,
  type WorkerReply,
  type WorkerRequest,
  type WorkerTask,
} from './intake-worker-messages.ts';

const bodies = new Map<number, ParsedWrite>();

function bodyOf(body: number): ParsedWrite {
  const parsed = bodies.get(body);
  if (parsed === undefined) throw new Error('This body was released.');
  return parsed;
}

async function respond(task: WorkerTask): Promise<WorkerResult> {
  switch (task.kind) {
    case 'parse': {
      const parsed = parseWriteInThread(task.bytes, task.shape);
      bodies.set(task.body, parsed);
      const { count, securityLabelInfo, columnSecurityLabelInfo } = parsed;
      return { count, securityLabelInfo, columnSecurityLabelInfo };
    }
    case 'prepare':
      return bodyOf(task.body).prepare({ ...task.options, random: Buffer.from(task.options.random) });
    case 'prepareReplacements':
      return bodyOf(task.body).prepareReplacements(task.options);
    case 'rows':
      return bodyOf(task.body).rowsOf(task.which, task.prefixes);
    case 'release':
      bodies.delete(task.body);
      return undefined;
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
