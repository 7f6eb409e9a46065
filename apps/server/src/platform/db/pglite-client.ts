import { Worker } from 'node:worker_threads';
import type { PGliteDialectConfig } from 'kysely';
import type { WorkerReply, WorkerRequest } from './pglite-protocol.ts';

type PGliteLike = Exclude<PGliteDialectConfig['pglite'], (...args: never[]) => unknown>;
type QueryResult<T> = { rows: T[]; affectedRows?: number; fields: [] };

/** An error of the database, with PostgreSQL's code as `pg` gives it. */
class PGliteError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  constructor(error: { message: string; code?: string; constraint?: string }) {
    super(error.message);
    this.name = 'PGliteError';
    this.code = error.code;
    this.constraint = error.constraint;
  }
}

export interface PgliteClient extends PGliteLike {
  /** A number that is another one once anything may have changed. */
  changes(): number;
}

/** See `unremembered`: what a statement begins with that changes nothing which anybody remembers. */
export const unrememberedMark = '/* unremembered */';

/** Statements that read and do nothing else. */
const onlyReads = (sql: string): boolean => /^\s*select\b/i.test(sql) && !/\bfor (update|share)\b/i.test(sql);
const countsAsChange = (sql: string): boolean => !onlyReads(sql) && !sql.startsWith(unrememberedMark);

/**
 * PGlite in a worker thread, with the part of its interface that Kysely uses. PGlite has one connection: a
 * transaction holds it, and statements outside wait for its end. While nothing is asked, it keeps no process alive.
 * @param dataDir a folder, or undefined to keep everything in memory
 */
export const createPgliteClient = async (dataDir: string | undefined): Promise<PgliteClient> => {
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData: { dataDir } });
  const waiting = new Map<
    number,
    { resolve: (reply: QueryResult<unknown>) => void; reject: (error: Error) => void }
  >();
  let lastId = 0;
  let closed = false;
  let tail: Promise<unknown> = Promise.resolve();
  let changes = 0;

  const failAll = (error: Error): void => {
    closed = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', failAll);
  worker.on('exit', () => failAll(new Error('The embedded metadata database has stopped')));
  worker.on('message', (reply: WorkerReply) => {
    const request = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) worker.unref();
    if ('error' in reply) request?.reject(new PGliteError(reply.error));
    else request?.resolve({ ...reply, fields: [] });
  });

  const expectReply = <T>(id: number): Promise<QueryResult<T>> =>
    new Promise((resolve, reject) => {
      worker.ref();
      waiting.set(id, { resolve: resolve as (reply: QueryResult<unknown>) => void, reject });
    });
  const send = <T>(request: WorkerRequest): Promise<QueryResult<T>> => {
    if (closed) return Promise.reject(new Error('The embedded metadata database is closed'));
    const reply = expectReply<T>(request.id);
    worker.postMessage(request);
    return reply;
  };
  const query = <T>(sql: string, parameters: unknown[] = []): Promise<QueryResult<T>> =>
    send<T>({ id: ++lastId, kind: 'query', sql, parameters });
  /** Runs `work` when everything asked for before it is done. */
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => {
    const run = tail.then(work);
    tail = run.catch(() => undefined);
    return run;
  };
  /** Counts before and after, since what is read in between may be of either state. */
  const changing = async <T>(work: () => Promise<T>): Promise<T> => {
    changes += 1;
    try {
      return await work();
    } finally {
      changes += 1;
    }
  };

  await expectReply(0);
  return {
    changes: () => changes,
    ready: true,
    waitReady: Promise.resolve(),
    get closed() {
      return closed;
    },
    query: (sql, parameters) =>
      exclusively(() =>
        countsAsChange(sql) ? changing(() => query(sql, parameters)) : query(sql, parameters),
      ),
    transaction: (callback) =>
      exclusively(() =>
        changing(async () => {
          await query('begin');
          const rollback = async (): Promise<void> => void (await query('rollback'));
          try {
            const result = await callback({ query, rollback });
            await query('commit');
            return result;
          } catch (error) {
            await rollback();
            throw error;
          }
        }),
      ),
    close: async () => {
      await exclusively(() => send({ id: ++lastId, kind: 'close' }));
      closed = true;
      await worker.terminate();
    },
  };
};
