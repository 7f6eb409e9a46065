import { Worker } from 'node:worker_threads';
import type { PGliteDialectConfig } from 'kysely';
import type { WorkerReply, WorkerRequest } from './pglite-protocol.ts';

type PGliteLike = Exclude<PGliteDialectConfig['pglite'], (...args: never[]) => unknown>;
type QueryResult<T> = { rows: T[]; affectedRows?: number; fields: [] };

/** An error of the database, with PostgreSQL's error code like the errors of `pg`. */
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

/** Which cached values a statement invalidates: those about labels and paths of datasets, or all others. */
type CachePart = 'catalog' | 'rest';

export interface PgliteClient extends PGliteLike {
  /**
   * A number that differs after every change of cached tables.
   * @param withCatalog whether changes of labels and paths of datasets count, too
   */
  changes(withCatalog: boolean): number;
}

/** See `keepsCacheMark`: a statement with this prefix invalidates nothing. */
export const keepsCachePrefix = '/* unremembered */';
/** See `catalogOnlyMark`: a statement with this suffix changes only labels and paths of datasets. */
export const catalogOnlySuffix = '/* catalog */';

const isReadOnly = (sql: string): boolean =>
  /^\s*select\b/i.test(sql) && !/\bfor (update|share)\b/i.test(sql);
const changedBy = (sql: string): CachePart | undefined => {
  if (isReadOnly(sql) || sql.startsWith(keepsCachePrefix)) return undefined;
  return sql.endsWith(catalogOnlySuffix) ? 'catalog' : 'rest';
};

/**
 * Runs PGlite in a worker thread, behind the part of its interface that Kysely uses. PGlite has one connection: a
 * transaction occupies it, and other statements wait for its end. Without pending requests, the worker does not keep
 * the process alive.
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
  const changes = { catalog: 0, rest: 0 };

  const failAll = (error: Error): void => {
    closed = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', failAll);
  worker.on('exit', () => failAll(new Error('The embedded metadata database has stopped.')));
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
    if (closed) return Promise.reject(new Error('The embedded metadata database is closed.'));
    const reply = expectReply<T>(request.id);
    worker.postMessage(request);
    return reply;
  };
  const query = <T>(sql: string, parameters: unknown[] = []): Promise<QueryResult<T>> =>
    send<T>({ id: ++lastId, kind: 'query', sql, parameters });
  /** Runs `work` after all earlier calls have ended. */
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => {
    const run = tail.then(work);
    tail = run.catch(() => undefined);
    return run;
  };
  /** Counts a change before and after `work`, since a read in between may see either state. */
  const counted = async <T>(work: (count: (sql: string) => void) => Promise<T>): Promise<T> => {
    const changed = new Set<CachePart>();
    const count = (sql: string): void => {
      const what = changedBy(sql);
      if (what === undefined || changed.has(what)) return;
      changed.add(what);
      changes[what] += 1;
    };
    try {
      return await work(count);
    } finally {
      for (const what of changed) changes[what] += 1;
    }
  };

  await expectReply(0);
  return {
    changes: (withCatalog) => changes.rest + (withCatalog ? changes.catalog : 0),
    ready: true,
    waitReady: Promise.resolve(),
    get closed() {
      return closed;
    },
    query: (sql, parameters) =>
      exclusively(() =>
        counted((count) => {
          count(sql);
          return query(sql, parameters);
        }),
      ),
    transaction: (callback) =>
      exclusively(() =>
        counted(async (count) => {
          await query('begin');
          const rollback = async (): Promise<void> => void (await query('rollback'));
          try {
            const result = await callback({
              query: (sql, parameters) => {
                count(sql);
                return query(sql, parameters);
              },
              rollback,
            });
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
