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

/** Creates a tag that identifies a statement of this process, because chdb does not let callers choose query ids. */
const nextTag = (): string => `redoubt-${String(++statements)}`;

/**
 * A small insert is parsed on its own thread, and its part gets the word index only when it is merged. Until then a
 * scan of the part is faster than writing and syncing the six files of the index.
 */
const smallInsertSettings = { input_format_parallel_parsing: 0, materialize_skip_indexes_on_insert: 0 };
const smallInsertBytes = 1_000_000;

export interface ChdbOptions extends PoolOptions {
  /**
   * Aborted when the engine must stop: running and waiting statements end with 503, and no new one starts. Running
   * inserts complete.
   */
  stopped?: AbortSignal;
}

/** The state that all streams of an engine share. */
interface Streaming {
  pool: ChdbPool;
  signals: StatementSignals;
  /** The running streams; closing the engine ends them even if their readers have stopped reading. */
  open: Set<AsyncGenerator<Uint8Array>>;
  isClosed: () => boolean;
}

/** The record engine inside this process. Its memory is part of the memory of the process. */
export interface EmbeddedEngine extends Engine {
  /** The bytes that the engine counts against its limit. */
  trackedMemory(): Promise<number>;
  /** Returns unused memory of the engine's allocator to the operating system. */
  releaseFreeMemory(): Promise<void>;
}

/**
 * Opens the record engine inside this process. Call `close` once for each call.
 * @throws EngineOpenError if the folder cannot be opened, for example because another process has it open
 *
 * @example
 * const engine = await openChdbEngine({ path: '/var/lib/redoubt/records', memoryLimitBytes: 2_000_000_000 });
 * await engine.text('SELECT 1', { lane: 'short' }); // '1\n'
 * await engine.close();
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
        .catch(async (error: unknown) => {
          await clear(session);
          throw toEngineError(error, signal);
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
      const stopListening = killOnAbort(pool, tag, signal);
      try {
        return await session.queryAsync(statementText(sql, tag, options), { format });
      } finally {
        stopListening();
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
          settings:
            data.length < smallInsertBytes
              ? { ...singleBlockSettings, ...smallInsertSettings }
              : singleBlockSettings,
        }),
      );
    },
    load: async ({ table, columns, path }) => {
      const file = path.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
      // Columns that are not in the file get their defaults.
      const described = (await run(`DESCRIBE file('${file}', 'Native')`, { lane: 'short' }, 'TSVRaw')).text();
      const present = new Set(described.split('\n').map((line) => line.split('\t')[0]));
      const names = columns.filter((column) => present.has(column)).join(', ');
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
  const stopListening = killOnAbort(pool, tag, signal);
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
  } catch (error) {
    throw signal.aborted ? abortReason(signal) : toEngineError(error, signal);
  } finally {
    stopListening();
    if (chunks !== undefined) open.delete(chunks);
    if (!isWhole) await clear(session);
  }
  // A stream that the engine closed ends like a complete one, so its reader must be told.
  if (isClosed()) throw engineUnavailable();
}

/**
 * An aborted or failed statement keeps its memory, and counts as running, until its connection runs another statement.
 */
async function clear(session: Session): Promise<void> {
  await session.queryAsync('SELECT 1', { format: 'Null' }).catch(() => undefined);
}

async function* chunksOf(stream: AsyncIterable<StreamChunk>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk.raw();
}

const killAgainMs = 200;

/** Kills the statement when the signal is aborted. It repeats this, because the statement may not have started yet. */
function killOnAbort(pool: ChdbPool, tag: string, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isKilling = false;
  const kill = (): void => {
    // All kills share one connection, so a kill that is still queued must not be queued again.
    if (isKilling) return;
    isKilling = true;
    pool.control
      .queryAsync(killStatement(tag), { format: 'Null' })
      .catch(() => undefined)
      .finally(() => (isKilling = false));
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
