import { setTimeout } from 'node:timers/promises';
import { tooLarge } from '@redoubt/errors';
import { abortReason, engineUnavailable, isMemoryLimitError } from './engine-errors.ts';
import type { Engine, InsertRequest, StatementOptions } from './engine.ts';

const firstWaitMs = 100;
const longestWaitMs = 2000;
const giveUpAfterMs = 30_000;

/**
 * How much memory an insert may need, as a multiple of its rows. It needs six to nine times their size, because they
 * become one block, and even an idle engine uses up to a quarter of its memory. If this multiple exceeds the limit,
 * waiting does not help.
 */
const memoryOfRows = 12;

/** An `INSERT … SELECT` stores several blocks, so one that failed may have stored some and must not be repeated. */
const isRepeatable = (sql: string): boolean => !/^\s*INSERT\b/.test(sql);

/** Repeats a statement without its own limit until there is memory for it. */
async function wait<Result>(
  work: () => Promise<Result>,
  { memoryLimitBytes, signal }: Partial<StatementOptions> = {},
  waitMs = giveUpAfterMs,
): Promise<Result> {
  const until = performance.now() + waitMs;
  for (let pauseMs = firstWaitMs; ; pauseMs = Math.min(2 * pauseMs, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (memoryLimitBytes !== undefined || !isMemoryLimitError(error)) throw error;
      if (performance.now() + pauseMs > until) throw engineUnavailable();
    }
    await setTimeout(pauseMs, undefined, signal && { signal }).catch(() => {
      if (signal !== undefined) throw abortReason(signal);
    });
  }
}

/**
 * Wraps an engine so that statements without their own memory limit wait while other statements use all its memory.
 * After a long wait they fail with 503. Such statements belong to writes and jobs, which must not fail because of other
 * statements. A statement with its own limit is a query of a reader, and fails at once.
 * @param limitBytes the memory of the whole engine
 */
export function waitForMemory(engine: Engine, limitBytes: number): Engine {
  /** Rows that do not fit into the memory of an idle engine fail at once. */
  async function insert(request: InsertRequest): Promise<void> {
    try {
      await engine.insert(request);
    } catch (error) {
      if (!isMemoryLimitError(error) || request.data.length * memoryOfRows < limitBytes) throw error;
      throw tooLarge(
        'This write takes more memory than the record engine of this server may have. Send its records in several writes.',
      );
    }
  }

  return {
    ...engine,
    bytes: (sql, options) => wait(() => engine.bytes(sql, options), options),
    text: (sql, options) => wait(() => engine.text(sql, options), options),
    command: (sql, options) =>
      wait(
        () => engine.command(sql, options),
        options,
        options.isRepeatable === true || isRepeatable(sql) ? giveUpAfterMs : 0,
      ),
    insert: (request) => wait(() => insert(request)),
    load: (request) => wait(() => engine.load(request), {}, 0),
  };
}
