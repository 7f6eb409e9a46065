import { setTimeout } from 'node:timers/promises';
import { tooLarge } from '@redoubt/errors';
import { abortReason, engineUnavailable, isMemoryLimitError } from './engine-errors.ts';
import type { Engine, InsertRequest, StatementOptions } from './engine.ts';

const firstWaitMs = 100;
const longestWaitMs = 2000;
const giveUpAfterMs = 30_000;

/** An insert takes six to nine times the memory of its rows, since they become one block. */
const memoryOfRows = 6;

/** An `INSERT … SELECT` stores one block after another: one that fails may have stored some. */
const isRepeatable = (sql: string): boolean => !/^\s*INSERT\b/.test(sql);

/** Runs a statement without a limit of its own until there is memory for it. */
async function wait<Result>(
  work: () => Promise<Result>,
  { memoryLimitBytes, signal }: Partial<StatementOptions> = {},
  waitMs = giveUpAfterMs,
): Promise<Result> {
  const until = performance.now() + waitMs;
  for (let pauseMs = firstWaitMs; ; pauseMs = Math.min(2 * pauseMs, longestWaitMs)) {
    try {
      return await work();
    } catch (fault) {
      if (memoryLimitBytes !== undefined || !isMemoryLimitError(fault)) throw fault;
      if (performance.now() + pauseMs > until) throw engineUnavailable();
    }
    await setTimeout(pauseMs, undefined, signal && { signal }).catch(() => {
      if (signal !== undefined) throw abortReason(signal);
    });
  }
}

/**
 * The same engine, whose own statements wait where the memory of the whole engine is taken, and fail like those of an engine
 * that is not there when they have waited long. A statement with a limit of its own is somebody's query and fails at once. One
 * without is part of a write or a job, which would be lost for what others do at the moment.
 * @param limitBytes the memory of the whole engine
 */
export function waitForMemory(engine: Engine, limitBytes: number): Engine {
  /** Rows that would not fit into the memory of an idle engine are not waited for. */
  async function insert(request: InsertRequest): Promise<void> {
    try {
      await engine.insert(request);
    } catch (fault) {
      if (!isMemoryLimitError(fault) || request.data.length * memoryOfRows < limitBytes) throw fault;
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
      wait(() => engine.command(sql, options), options, isRepeatable(sql) ? giveUpAfterMs : 0),
    insert: (request) => wait(() => insert(request)),
    load: (request) => wait(() => engine.load(request), {}, 0),
  };
}
