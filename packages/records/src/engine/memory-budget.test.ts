/* Shows: A-memory-budget, A-memory-figures */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RedoubtError } from '@redoubt/errors';
import { engineFolder } from '../../testing/test-store.ts';
import { openChdbEngine, type EmbeddedEngine } from './chdb-engine.ts';
import type { Engine } from './engine.ts';
import { waitForMemory } from './wait-for-memory.ts';

const budget = 500_000_000;
let engine: EmbeddedEngine;

before(async () => {
  engine = await openChdbEngine({ path: engineFolder(), memoryLimitBytes: budget });
  await engine.command('CREATE TABLE default.rows (id UInt64, text String) ENGINE = MergeTree ORDER BY id', {
    lane: 'write',
  });
});
after(() => engine.close());

const setting = async (name: string): Promise<number> =>
  Number(
    await engine.text(`SELECT value FROM system.server_settings WHERE name = '${name}'`, { lane: 'short' }),
  );

const isLimit = (error: unknown): boolean => {
  assert.ok(error instanceof RedoubtError, String(error));
  assert.equal(error.name, 'QueryError');
  assert.match(error.message, /reached a limit of this server on time, memory or rows/);
  return true;
};

test('caches have a part of the memory of the whole engine, and merges half', async () => {
  assert.equal(await setting('max_server_memory_usage'), budget);
  assert.equal(await setting('merges_mutations_memory_usage_soft_limit'), budget / 2);
  const text = await engine.text(
    "SELECT sum(toUInt64(value)) FROM system.server_settings WHERE match(name, '^(mark|index_mark|primary_index|text_index_.*|query_condition|uncompressed|index_uncompressed)_cache_size$')",
    { lane: 'short' },
  );
  assert.ok(Number(text) > 0 && Number(text) <= budget / 4, text);
});

/** Runs statements of a reader through the wrapper, and counts how often each was tried. */
const reader = (): { engine: Engine; tries: () => number } => {
  let tries = 0;
  const counting: Engine = {
    ...engine,
    text: async (sql, options) => {
      tries++;
      return engine.text(sql, options);
    },
    query: (sql, options) => {
      tries++;
      return engine.query(sql, options);
    },
  };
  return { engine: waitForMemory(counting, budget), tries: () => tries };
};

// Before the tests that fill the engine: it counts their memory for some time after they have given it back.
test('a query that is too large by itself fails at once', async () => {
  const { engine: waiting, tries } = reader();
  const options = { lane: 'short', memoryLimitBytes: 20_000_000 } as const;
  await assert.rejects(
    waiting.text('SELECT length(groupArray(number)) FROM numbers(50000000)', options),
    isLimit,
  );
  assert.equal(tries(), 1);
});

test('a query that needs more than the whole engine may take fails with the message of limits', async () => {
  const sql = 'SELECT length(groupArray(number)) FROM numbers(200000000)';
  const options = { lane: 'short', memoryLimitBytes: 100 * budget } as const;
  await assert.rejects(engine.text(sql, options), isLimit);
  assert.equal(await engine.text('SELECT 1', { lane: 'short' }), '1\n');
});

/**
 * Waits until the engine uses less than this many bytes. It frees the memory of a statement some time after its end.
 */
const fallBelow = async (bytes: number): Promise<void> => {
  for (;;) {
    await engine.releaseFreeMemory();
    if ((await engine.trackedMemory()) < bytes) return;
    await sleep(20);
  }
};

/**
 * Takes more memory in small portions until `isEnough` or until the engine has none left, even after it has released what
 * it still counts although it is free.
 */
const takeMore = async (isEnough: () => Promise<boolean>): Promise<void> => {
  const portion = 'INSERT INTO default.held SELECT number FROM numbers(500000)';
  let hasReleased = false;
  while (!(await isEnough())) {
    const isFull = await engine.command(portion, { lane: 'short' }).then(() => false, isLimit);
    if (isFull && hasReleased) return;
    if (isFull) await engine.releaseFreeMemory();
    hasReleased = isFull;
  }
};
/** Takes memory that no statement holds, so the engine cannot end one to get it back. */
const take = async (isEnough: () => Promise<boolean>): Promise<void> => {
  await engine.command('CREATE OR REPLACE TABLE default.held (number UInt64) ENGINE = Memory', {
    lane: 'short',
  });
  await takeMore(isEnough);
};
const giveBack = async (): Promise<void> => engine.command('DROP TABLE default.held SYNC', { lane: 'short' });

const untilTrue = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await sleep(20);
};

const rowsOf = (count: number): Buffer => {
  const text = 'text '.repeat(20_000);
  return Buffer.from(Array.from({ length: count }, (_, row) => `${String(row)}\t${text}\n`).join(''));
};
/** Starts an insert that waits for memory, and counts how often it failed without memory. */
const insertion = (data: Buffer, waitMs?: number): { stored: Promise<void>; failedTries: () => number } => {
  let failedTries = 0;
  const counting: Engine = {
    ...engine,
    insert: async (request) =>
      engine.insert(request).catch((error: unknown) => {
        failedTries++;
        throw error;
      }),
  };
  const stored = waitForMemory(counting, budget, waitMs).insert({
    table: 'default.rows',
    columns: ['id', 'text'],
    data,
  });
  return { stored, failedTries: () => failedTries };
};

test('a write that needs more memory than the engine may use is rejected as too large', async () => {
  await assert.rejects(insertion(rowsOf(1000)).stored, { name: 'BadRequestError', code: 413 });
  // The engine counts memory that it has freed until it next measures what the process holds.
  const patient = waitForMemory(engine, budget);
  assert.equal(await patient.text('SELECT count() FROM default.rows', { lane: 'short' }), '0\n');
});

test('a write that takes nearly all the memory of the engine does not wait for it', async () => {
  await take(async () => false);
  const { stored, failedTries } = insertion(rowsOf(450));
  await assert.rejects(stored, { name: 'BadRequestError', code: 413 });
  assert.equal(failedTries(), 1);
  await giveBack();
});

test('rows that the engine completes itself do not wait if they take nearly all its memory', async () => {
  await take(async () => false);
  let tries = 0;
  const counting: Engine = {
    ...engine,
    command: async (sql, options) => {
      tries++;
      return engine.command(sql, options);
    },
  };
  const stored = waitForMemory(counting, budget).command(
    "INSERT INTO default.rows SELECT number, repeat('text ', 20000) FROM numbers(450)",
    { lane: 'short', isRepeatable: true, rowBytes: 450 * 100_000 },
  );
  await assert.rejects(stored, { name: 'BadRequestError', code: 413 });
  assert.equal(tries, 1);
  await giveBack();
});

test('a write that waited in vain is rejected as too large if it may never fit, and else with 503', async () => {
  await take(async () => false);
  const large = insertion(rowsOf(250), 2000);
  await assert.rejects(large.stored, { name: 'BadRequestError', code: 413 });
  assert.ok(large.failedTries() > 1);
  // The failed tries took and freed memory.
  await takeMore(async () => false);
  await assert.rejects(insertion(rowsOf(100), 300).stored, { name: 'AccumuloError', code: 503 });
  await giveBack();
});

test('a write waits for memory that others have taken, and is stored', async () => {
  const data = rowsOf(100);
  await take(async () => false);
  const { stored, failedTries } = insertion(data);
  let isStored = false;
  const done = stored.then(() => (isStored = true));
  await untilTrue(() => failedTries() > 0 || isStored);
  assert.equal(isStored, false);
  await giveBack();
  await done;
  assert.equal(
    await engine.text('SELECT count(), uniqExact(id) FROM default.rows', { lane: 'short' }),
    '100\t100\n',
  );
});

/** Takes more than the portions in which `take` fills the engine. */
const large = 'SELECT length(groupArray(number)) FROM numbers(8000000)';
const ofReader = { lane: 'short', memoryLimitBytes: budget } as const;
const streamed = async (from: Engine): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of from.query(large, { ...ofReader, format: 'TSV' })) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

test('a query that fails because the engine is full is repeated, and succeeds once memory is free', async () => {
  for (const run of [async (from: Engine) => from.text(large, ofReader), streamed]) {
    await take(async () => false);
    const { engine: waiting, tries } = reader();
    const done = run(waiting).then(
      (text) => text,
      (error: unknown) => error,
    );
    await untilTrue(() => tries() > 0);
    await giveBack();
    await fallBelow(budget / 2);
    // The last try may have been too early.
    const result = await done;
    if (result instanceof Error) isLimit(result);
    assert.equal(await run(waiting), '8000000\n');
    assert.ok(tries() > 1);
  }
});

test('a query fails with the message of limits while the engine stays full, after a few tries', async () => {
  await take(async () => false);
  for (const run of [async (from: Engine) => from.text(large, ofReader), streamed]) {
    const refused = async (): Promise<boolean> => {
      const { engine: waiting, tries } = reader();
      const isRefused = await run(waiting).then(() => false, isLimit);
      assert.ok(!isRefused || (tries() > 1 && tries() < 6), String(tries()));
      return isRefused;
    };
    // The engine also counts memory that it has freed, until it next measures: then it is no longer full.
    while (!(await refused())) await takeMore(async () => false);
  }
  await giveBack();
});

test('the memory that the engine counts can be read, and falls when memory is freed', async () => {
  await engine.releaseFreeMemory();
  const before = await engine.trackedMemory();
  await take(async () => (await engine.trackedMemory()) > before + 100_000_000);
  assert.ok((await engine.trackedMemory()) > before + 50_000_000);
  await giveBack();
  await fallBelow(before + 50_000_000);
});
