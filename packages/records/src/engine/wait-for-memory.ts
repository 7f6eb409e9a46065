import { setTimeout } from 'node:timers/promises';
import { tooLarge } from '@redoubt/errors';
import { abortReason, engineUnavailable, isEngineFullError, isMemoryLimitError } from './engine-errors.ts';
import type { Engine, QueryOptions, StatementOptions } from './engine.ts';

/** How long to wait for memory, and how often to try. */
interface Patience {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  readonly maxMs: number;
  /** The error after the last try; by default that of the statement. */
  readonly failure?: () => Error;
}

/**
 * A reader waits for memory that the engine counts although it is free, and for other short statements: three tries
 * within a second.
 */
const ofReaders: Patience = { firstPauseMs: 100, longestPauseMs: 400, maxMs: 750 };
const none: Patience = { firstPauseMs: 1, longestPauseMs: 1, maxMs: 0, failure: engineUnavailable };

/**
 * How much memory an insert needs, as a multiple of its rows. Even an idle engine uses up to a quarter of its memory. If
 * the least does not fit, waiting does not help. If the most does not fit and memory was not enough for the whole wait,
 * the insert probably never succeeds.
 */
const memoryOfRows = { least: 12, most: 25 };

/** An `INSERT … SELECT` stores several blocks, so one that failed may have stored some and must not be repeated. */
const isRepeatable = (sql: string): boolean => !/^\s*INSERT\b/.test(sql);

const tooLargeWrite = (): Error =>
  tooLarge(
    'This write takes more memory than the record engine of this server may have. Send its records in several writes, or a single record with less data.',
  );

/** Whether the error ends when other statements free memory. */
const isWaiting = (error: unknown, { memoryLimitBytes }: Partial<StatementOptions>): boolean =>
  memoryLimitBytes === undefined ? isMemoryLimitError(error) : isEngineFullError(error);

/**
 * Wraps an engine so that statements wait while other statements use all its memory.
 *
 * - Statements without their own memory limit belong to writes and jobs. They wait long, and then fail with 503.
 * - A statement with its own limit is a query of a reader. If it reaches that limit, it fails at once, as it would
 *   always. If the memory of the engine is used up, it is repeated a few times.
 * @param limitBytes the memory of the whole engine
 * @param writeWaitMs how long writes and jobs wait, which must not fail because of other statements
 */
export function waitForMemory(engine: Engine, limitBytes: number, writeWaitMs = 30_000): Engine {
  const ofWrites: Patience = {
    firstPauseMs: 100,
    longestPauseMs: 2000,
    maxMs: writeWaitMs,
    failure: engineUnavailable,
  };
  const patienceOf = (
    sql: string,
    { isRepeatable: mayRepeat, memoryLimitBytes }: StatementOptions,
  ): Patience => {
    if (mayRepeat === true) return ofWrites;
    if (!isRepeatable(sql)) return none;
    return memoryLimitBytes === undefined ? ofWrites : ofReaders;
  };
  let releasing: Promise<void> | undefined;
  /** Frees memory that the engine counts although nothing uses it. Concurrent calls share one run. */
  const release = async (): Promise<void> => {
    releasing ??= (engine.releaseFreeMemory?.() ?? Promise.resolve())
      .catch(() => undefined)
      .finally(() => (releasing = undefined));
    await releasing;
  };

  /** Returns a function that waits after an error, or throws if the statement must not be tried again. */
  const createWait = (options: Partial<StatementOptions>, patience: Patience) => {
    const { rowBytes = 0 } = options;
    const until = performance.now() + patience.maxMs;
    let pauseMs = patience.firstPauseMs;
    return async (cause: unknown): Promise<void> => {
      if (!isWaiting(cause, options)) throw cause;
      if (rowBytes * memoryOfRows.least >= limitBytes) throw tooLargeWrite();
      if (performance.now() + pauseMs > until) {
        throw rowBytes * memoryOfRows.most >= limitBytes ? tooLargeWrite() : (patience.failure?.() ?? cause);
      }
      const { signal } = options;
      await release();
      await setTimeout(pauseMs, undefined, signal && { signal }).catch(() => {
        if (signal !== undefined) throw abortReason(signal);
      });
      pauseMs = Math.min(2 * pauseMs, patience.longestPauseMs);
    };
  };

  async function wait<Result>(
    work: () => Promise<Result>,
    options: Partial<StatementOptions> = {},
    patience = options.memoryLimitBytes === undefined ? ofWrites : ofReaders,
  ): Promise<Result> {
    const pause = createWait(options, patience);
    for (;;) {
      try {
        return await work();
      } catch (error) {
        await pause(error);
      }
    }
  }

  /** Streams a result. Once a reader has a chunk, an error ends the stream. */
  async function* stream(sql: string, options: QueryOptions): AsyncGenerator<Uint8Array> {
    const pause = createWait(options, ofReaders);
    for (;;) {
      let hasChunks = false;
      try {
        for await (const chunk of engine.query(sql, options)) {
          hasChunks = true;
          yield chunk;
        }
        return;
      } catch (error) {
        if (hasChunks) throw error;
        await pause(error);
      }
    }
  }

  return {
    ...engine,
    query: stream,
    bytes: (sql, options) => wait(() => engine.bytes(sql, options), options),
    text: (sql, options) => wait(() => engine.text(sql, options), options),
    command: (sql, options) => wait(() => engine.command(sql, options), options, patienceOf(sql, options)),
    insert: (request) => wait(() => engine.insert(request), { rowBytes: request.data.length }),
    load: (request) => wait(() => engine.load(request), {}, none),
  };
}
