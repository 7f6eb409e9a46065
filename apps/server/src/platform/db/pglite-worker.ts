import { PGlite } from '@electric-sql/pglite';
import { parentPort, workerData } from 'node:worker_threads';
import { createStatements } from './pglite-statements.ts';
import type { WorkerReply, WorkerRequest } from './pglite-protocol.ts';

/** Runs PGlite in a worker, since it blocks its thread. Runs one statement at a time. */
const { dataDir } = workerData as { dataDir: string | undefined };
const port = parentPort;
if (port === null) throw new Error('pglite-worker.ts must run in a worker thread.');

/**
 * PGlite's default of 160 MB of buffers is zeroed at every start. Pages that do not fit into smaller buffers come from
 * the file cache of the operating system.
 */
const buffers = ['-c', 'shared_buffers=32MB'];

const options = {
  startParams: [...PGlite.defaultStartParams, ...buffers],
  ...(dataDir === undefined ? {} : { dataDir }),
};
const started = PGlite.create(options).then((db) => ({
  db,
  run: createStatements(db),
}));
started.then(
  () => port.postMessage({ id: 0, rows: [] } satisfies WorkerReply),
  (error: unknown) => port.postMessage({ id: 0, error: describe(error) } satisfies WorkerReply),
);

function describe(error: unknown): { message: string; code?: string; constraint?: string } {
  const { message, code, constraint } = error as { message?: string; code?: string; constraint?: string };
  return {
    message: message ?? String(error),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
  };
}

async function execute(request: WorkerRequest): Promise<WorkerReply> {
  const { db, run } = await started;
  if (request.kind === 'close') {
    await db.close();
    return { id: request.id, rows: [] };
  }
  const { rows, affectedRows } = await run(request.sql, request.parameters);
  return { id: request.id, rows, ...(affectedRows === undefined ? {} : { affectedRows }) };
}

port.on('message', (request: WorkerRequest) => {
  execute(request).then(
    (reply) => port.postMessage(reply),
    (error: unknown) => port.postMessage({ id: request.id, error: describe(error) } satisfies WorkerReply),
  );
});
