import type { ChdbResult, Session, StreamChunk } from 'chdb';
import {
  connectionSettings,
  releasePool,
  acquirePool,
  type ChdbPool,
  type PoolOptions,
} from './chdb-pool.ts';
import type { Engine, QueryOptions, StatementOptions } from './engine.ts';
import { abortReason, toEngineError, engineUnavailable } from './engine-errors.ts';
import { singleBlockSettings } from './single-block-settings.ts';
import { createStatementSignals, type StatementSignals } from './statement-signals.ts';
import { killStatement, statementText } from './statement-text.ts';
import { streamAside } from './stream-thread.ts';

let statements = 0;

/** A name for one statement of this process: chdb lets nobody choose query ids. */
const nextTag = (): string => `redoubt-${String(++statements)}`;

/**
 * An insert of few bytes is parsed by its own thread, and its part gets the index of words when it is merged: until then
 * reading it whole is faster than the making, and the syncing, of the index's six files.
 */
const small = { input_format_parallel_parsing: 0, materialize_skip_indexes_on_insert: 0 };
const smallBytes = 1_000_000;

export interface ChdbOptions extends PoolOptions {
  /** Ends every statement, running or waiting, with 503; none begins after it. An insert that runs goes to its end. */
  stopped?: AbortSignal;
}

/** What the streams of an engine share. */
interface Streaming {
  pool: ChdbPool;
  signals: StatementSignals;
  /** The chunks of the streams that run: closing the engine ends them, whether or not their readers go on. */
  open: Set<AsyncGenerator<Uint8Array>>;
  isClosed: () => boolean;
}

/** The record engine inside this process, whose memory is a part of the process's. */
export interface EmbeddedEngine extends Engine {
  /** The bytes that the engine counts against its limit. */
  trackedMemory(): Promise<number>;
  /** Gives memory back to the system that the engine's allocator keeps for later. */
  releaseFreeMemory(): Promise<void>;
}

/**
 * The record engine inside this process.
 * @throws EngineOpenError when the folder cannot be opened, for example because another process has it open
 */
export async function openChdbEngine(options: ChdbOptions): Promise<EmbeddedEngine> {
  const pool = await acquirePool(options);
  const signals = createStatementSignals(options.stopped);
  const running = new Set<Promise<unknown>>();
  let closed = false;
  const streaming: Streaming = { pool, signals, open: new Set(), isClosed: () => closed };

  async function withConnection<Result>(
    { lane, signal: caller, person }: Pick<StatementOptions, 'lane' | 'signal' | 'person'>,
    work: (session: Session, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (closed) throw engineUnavailable();
    return signals.within(caller, async (signal) => {
      const session = await pool.lanes[lane].take(signal, person);
      const done = work(session, signal)
        .catch(async (fault: unknown) => {
          await clear(session);
          throw toEngineError(fault, signal);
        })
        .finally(() => {
          running.delete(done);
          pool.lanes[lane].giveBack(session, person);
        });
      running.add(done);
      return done;
    });
  }

  const run = async (sql: string, options: StatementOptions, format: string): Promise<ChdbResult> =>
    withConnection(options, async (session, signal) => {
      const tag = nextTag();
      const stopWatching = killOnAbort(pool, tag, signal);
      try {
        return await session.queryAsync(statementText(sql, tag, options), { format });
      } finally {
        stopWatching();
      }
    });

  const control = async (sql: string): Promise<ChdbResult> => {
    if (closed) throw engineUnavailable();
    const done = pool.control.queryAsync(sql, { format: 'TSVRaw' }).finally(() => running.delete(done));
    running.add(done);
    return done;
  };

  return {
    query: (sql, options) => {
      if (closed) throw engineUnavailable();
      return streamChunks(streaming, sql, options);
    },
    bytes: async (sql, options) => (await run(sql, options, options.format)).bytes(),
    text: async (sql, options) => (await run(sql, options, options.format ?? 'TSVRaw')).text(),
    command: async (sql, options) => {
      await run(sql, options, 'Null');
    },
    insert: async ({ table, columns, data, format = 'TabSeparated' }) => {
      await withConnection({ lane: 'write' }, async (session) =>
        session.insert({
          table,
          columns,
          values: data,
          format,
          settings: data.length < smallBytes ? { ...singleBlockSettings, ...small } : singleBlockSettings,
        }),
      );
    },
    load: async ({ table, columns, path }) => {
      const names = columns.join(', ');
      const file = path.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
      const sql = `INSERT INTO ${table} (${names}) SELECT ${names} FROM file('${file}', 'Native')`;
      await run(sql, { lane: 'write' }, 'Null');
    },
    trackedMemory: async () =>
      Number((await control("SELECT value FROM system.metrics WHERE metric = 'MemoryTracking'")).text()),
    releaseFreeMemory: async () => {
      await control('SYSTEM JEMALLOC PURGE');
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled([
        ...running,
        ...Array.from(streaming.open, async (chunks) => chunks.return(undefined)),
      ]);
      await releasePool();
    },
  };
}

async function* streamChunks(
  streaming: Streaming,
  sql: string,
  options: QueryOptions,
): AsyncGenerator<Uint8Array> {
  const { pool, signals } = streaming;
  const { lane, person } = options;
  const { signal, release } = signals.of(options.signal);
  try {
    const session = await pool.lanes[lane].take(signal, person);
    try {
      yield* chunksOn(session, streaming, sql, { ...options, signal });
    } finally {
      pool.lanes[lane].giveBack(session, person);
    }
  } finally {
    release();
  }
}

async function* chunksOn(
  session: Session,
  { pool, open, isClosed }: Streaming,
  sql: string,
  options: QueryOptions & { signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const { signal, format } = options;
  const tag = nextTag();
  const stopWatching = killOnAbort(pool, tag, signal);
  let chunks: AsyncGenerator<Uint8Array> | undefined;
  let isWhole = false;
  try {
    const text = statementText(sql, tag, options);
    chunks =
      options.aside === true
        ? streamAside(pool.path, connectionSettings, text, format)
        : chunksOf(session.queryStream(text, { format }));
    open.add(chunks);
    for await (const chunk of chunks) {
      if (signal.aborted) throw abortReason(signal);
      yield chunk;
    }
    isWhole = true;
  } catch (fault) {
    throw signal.aborted ? abortReason(signal) : toEngineError(fault, signal);
  } finally {
    stopWatching();
    if (chunks !== undefined) open.delete(chunks);
    if (!isWhole) await clear(session);
  }
  // The chunks of a stream that was closed under its reader end like those of a whole one.
  if (isClosed()) throw engineUnavailable();
}

/**
 * A statement that was stopped or has failed keeps its memory, and its place among those that run, until its connection
 * runs another.
 */
async function clear(session: Session): Promise<void> {
  await session.queryAsync('SELECT 1', { format: 'Null' }).catch(() => undefined);
}

async function* chunksOf(stream: AsyncIterable<StreamChunk>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk.raw();
}

const killAgainMs = 200;

/** Stops the statement when the signal says so: again and again, for it may not have begun when first told. */
function killOnAbort(pool: ChdbPool, tag: string, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isTold = false;
  const kill = (): void => {
    // One connection tells all statements: what has not been told yet must not queue there again.
    if (isTold) return;
    isTold = true;
    pool.control
      .queryAsync(killStatement(tag), { format: 'Null' })
      .catch(() => undefined)
      .finally(() => (isTold = false));
  };
  const onAbort = (): void => {
    kill();
    timer = setInterval(kill, killAgainMs);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    signal.removeEventListener('abort', onAbort);
    clearInterval(timer);
  };
}
