/* Shows: D-limit-message, X-AccumuloError, X-QueryError, A-clean-stop, A-stopped-work, A-fairness */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { RedoubtError } from '@redoubt/errors';
import { engineFolder } from '../../testing/test-store.ts';
import { startTestClickhouse } from '../../testing/index.ts';
import type { TestClickhouse } from '@redoubt/testkit';
import { openChdbEngine } from './chdb-engine.ts';
import { openClickhouseEngine } from './clickhouse-engine.ts';
import { EngineError, EngineOpenError } from './engine-errors.ts';
import type { Engine } from './engine.ts';

/** An error must not contain the text of the engine, which may quote stored values. */
const isQuiet = (error: unknown): boolean => {
  assert.ok(error instanceof EngineError);
  assert.ok(!error.message.includes('4711'));
  assert.equal(error.cause, undefined);
  return true;
};

const isLimit = (error: unknown): boolean => {
  assert.ok(error instanceof RedoubtError, String(error));
  assert.deepEqual([error.name, error.code], ['QueryError', 400]);
  assert.match(error.message, /time, memory or rows/);
  return true;
};

const isUnavailable = (error: unknown): boolean => {
  assert.ok(error instanceof RedoubtError, String(error));
  assert.deepEqual([error.name, error.code], ['AccumuloError', 503]);
  return true;
};

const untilEnd = async (stream: AsyncIterator<Uint8Array>): Promise<void> => {
  for (let next = await stream.next(); next.done !== true;) next = await stream.next();
};

/** Both engines must behave as the record store expects. */
for (const name of ['embedded', 'over HTTP'] as const)
  describe(`the engine, ${name}`, () => {
    let engine: Engine;
    let server: TestClickhouse | undefined;
    before(async () => {
      if (name === 'embedded') {
        engine = await openChdbEngine({ path: engineFolder() });
        return;
      }
      server = await startTestClickhouse();
      engine = await openClickhouseEngine({ ...server, random: { bytes: randomBytes } });
    });
    after(async () => {
      await engine.close();
      await server?.stop();
    });

    const endless = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1';

    async function runningStatements(mark: string): Promise<number> {
      const text = await engine.text(
        `SELECT count() FROM system.processes WHERE position(query, concat('${mark}', '!')) > 0`,
        { lane: 'short' },
      );
      return Number(text);
    }

    async function untilNoneRuns(mark: string): Promise<void> {
      while ((await runningStatements(mark)) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }

    async function untilOneRuns(mark: string): Promise<void> {
      while ((await runningStatements(mark)) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }

    test('limits on time, memory and rows give one and the same message', async () => {
      const messages = new Set<string>();
      for (const [sql, options] of [
        [endless, { timeLimitMs: 100 }],
        ['SELECT groupArray(number) FROM numbers(100000000)', { memoryLimitBytes: 50_000_000 }],
        ['SELECT number FROM numbers(100)', { settings: { max_result_rows: 10 } }],
      ] as const) {
        await assert.rejects(engine.text(sql, { lane: 'short', ...options }), (error: unknown) => {
          messages.add((error as Error).message);
          return isLimit(error);
        });
        await assert.rejects(async () => {
          for await (const chunk of engine.query(sql, { lane: 'long', format: 'TSVRaw', ...options }))
            void chunk;
        }, isLimit);
      }
      assert.equal(messages.size, 1);
    });

    test('a setting of one statement does not stay for the next', async () => {
      for (let round = 0; round < 8; round++) {
        await engine.text('SELECT 1', { lane: 'short', settings: { max_result_rows: 1 } });
      }
      for (let round = 0; round < 8; round++) {
        const text = await engine.text('SELECT number FROM numbers(10)', { lane: 'short' });
        assert.equal(text, '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');
      }
    });

    test('the text of an engine error stays inside the server', async () => {
      const secret = 'hidden value 4711';
      for (const sql of [`SELECT throwIf(1, '${secret}')`, `SELECT * FROM nowhere WHERE a = '${secret}'`]) {
        await assert.rejects(engine.text(sql, { lane: 'short' }), isQuiet);
        await assert.rejects(async () => {
          for await (const chunk of engine.query(sql, { lane: 'short', format: 'TSVRaw' })) void chunk;
        }, isQuiet);
      }
    });

    test('an aborted statement stops in the engine', async () => {
      for (const run of [
        async (sql: string, signal: AbortSignal) => engine.text(sql, { lane: 'long', signal }),
        async (sql: string, signal: AbortSignal) => {
          for await (const chunk of engine.query(sql, { lane: 'long', format: 'TSVRaw', signal })) void chunk;
        },
      ]) {
        const controller = new AbortController();
        const reason = new Error('the client went away');
        const done = run(`${endless} AND 'abort!' != ''`, controller.signal);
        const checked = assert.rejects(done, reason);
        await untilOneRuns('abort');
        controller.abort(reason);
        await checked;
        await untilNoneRuns('abort');
      }
    });

    test('a stream of another thread has the same rows, errors and end', async () => {
      const options = { lane: 'long', format: 'TSVRaw', aside: true } as const;
      let rows = 0;
      for await (const chunk of engine.query('SELECT number FROM numbers(300000)', options)) {
        rows += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
      }
      assert.equal(rows, 300_000);
      await assert.rejects(async () => {
        for await (const chunk of engine.query("SELECT throwIf(1, 'hidden value 4711')", options)) void chunk;
      }, isQuiet);
      await assert.rejects(async () => {
        for await (const chunk of engine.query(endless, { ...options, timeLimitMs: 100 })) void chunk;
      }, isLimit);
      for (let round = 0; round < 20; round++) {
        for await (const chunk of engine.query("SELECT number, 'apart!' FROM numbers(1000000000)", options)) {
          assert.ok(chunk.length > 0);
          break;
        }
      }
      await untilNoneRuns('apart');
    });

    test('waiting for a connection can be aborted', async () => {
      const controller = new AbortController();
      const sql = "SELECT number, 'hold!' FROM numbers(100000000)";
      const holders = Array.from({ length: 8 }, () => {
        const chunks = engine.query(sql, { lane: 'long', format: 'TSVRaw' });
        return chunks[Symbol.asyncIterator]();
      });
      await Promise.all(holders.map(async (each) => each.next()));
      const late = engine.text('SELECT 1', { lane: 'long', signal: controller.signal });
      const checked = assert.rejects(late, /stop waiting/);
      controller.abort(new Error('stop waiting'));
      await checked;
      assert.equal(await engine.text('SELECT 1', { lane: 'short' }), '1\n');
      await Promise.all(holders.map(async (each) => each.return?.()));
      await untilNoneRuns('hold');
      assert.equal(await engine.text('SELECT 2', { lane: 'long' }), '2\n');
    });

    test('leaving a stream stops the statement and frees its connection', async () => {
      for (let round = 0; round < 20; round++) {
        for await (const chunk of engine.query("SELECT number, 'leave!' FROM numbers(1000000000)", {
          lane: 'long',
          format: 'TSVRaw',
        })) {
          assert.ok(chunk.length > 0);
          break;
        }
      }
      await untilNoneRuns('leave');
    });

    test('a slow reader makes no memory grow', async () => {
      const sql = "SELECT number, repeat('x', 1000) FROM numbers(100000000)";
      let chunks = 0;
      let atStart = 0;
      for await (const chunk of engine.query(sql, {
        lane: 'long',
        format: 'TSVRaw',
        settings: { max_block_size: 8192 },
      })) {
        assert.ok(chunk.length < 100_000_000);
        if (++chunks === 3) atStart = process.memoryUsage().rss;
        if (chunks === 10) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.ok(process.memoryUsage().rss - atStart < 1_000_000_000);
    });

    test('stopping an engine ends running and waiting statements with 503, and no further one starts', async () => {
      const stop = new AbortController();
      const stopping =
        server === undefined
          ? await openChdbEngine({ path: engineFolder(), stopped: stop.signal })
          : await openClickhouseEngine({ ...server, random: { bytes: randomBytes }, stopped: stop.signal });
      const sql = `${endless} AND 'over!' != ''`;
      const rows = "SELECT number, 'over!' FROM numbers(100000000000)";
      const inLong = { lane: 'long', format: 'TSVRaw' } as const;
      const slow = stopping.query(rows, inLong)[Symbol.asyncIterator]();
      const aside = stopping.query(rows, { ...inLong, aside: true })[Symbol.asyncIterator]();
      await Promise.all([slow.next(), aside.next()]);
      const pending = [
        ...Array.from({ length: 8 }, async () => stopping.text(sql, { lane: 'long' })),
        stopping.command(sql, { lane: 'short' }),
        Array.fromAsync(stopping.query(sql, { lane: 'short', format: 'TSVRaw' })),
      ].map(async (result) => assert.rejects(result, isUnavailable));
      await untilOneRuns('over');
      stop.abort();
      await Promise.all(pending);
      for (const left of [slow, aside]) await assert.rejects(untilEnd(left), isUnavailable);
      await untilNoneRuns('over');
      await assert.rejects(stopping.text('SELECT 1', { lane: 'short' }), isUnavailable);
      await stopping.close();
    });

    test('closing an engine ends streams that are not being read, and their readers get an error about missing rows', async () => {
      const closing =
        server === undefined
          ? await openChdbEngine({ path: engineFolder() })
          : await openClickhouseEngine({ ...server, random: { bytes: randomBytes } });
      const rows = "SELECT number, 'unread!' FROM numbers(100000000000)";
      const streams = [false, true].map((aside) =>
        closing.query(rows, { lane: 'long', format: 'TSVRaw', aside })[Symbol.asyncIterator](),
      );
      for (const stream of streams) await stream.next();
      await closing.close();
      await untilNoneRuns('unread');
      for (const stream of streams) await assert.rejects(untilEnd(stream), isUnavailable);
    });

    test('an insert with one bad row stores nothing', async () => {
      await engine.command('CREATE DATABASE test_engine', { lane: 'short' });
      try {
        await engine.command('CREATE TABLE test_engine.t (n UInt32) ENGINE = MergeTree ORDER BY n', {
          lane: 'short',
        });
        const rows = Array.from({ length: 500_000 }, (_, n) => (n === 499_990 ? 'bad' : String(n)));
        await assert.rejects(
          engine.insert({
            table: 'test_engine.t',
            columns: ['n'],
            data: Buffer.from(`${rows.join('\n')}\n`),
          }),
          EngineError,
        );
        assert.equal(await engine.text('SELECT count() FROM test_engine.t', { lane: 'short' }), '0\n');
      } finally {
        await engine.command('DROP DATABASE test_engine SYNC', { lane: 'short' });
      }
    });
  });

let embedded: Engine;
before(async () => {
  embedded = await openChdbEngine({ path: engineFolder() });
});
after(async () => embedded.close());

const statementsLike = async (mark: string): Promise<number> =>
  Number(
    await embedded.text(
      `SELECT count() FROM system.processes WHERE position(query, concat('${mark}', '!')) > 0`,
      { lane: 'short' },
    ),
  );

test('a stream that takes long to prepare delays no other statement, and can be canceled', async () => {
  const controller = new AbortController();
  const sql = `SELECT (SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1 AND 'prepare!' != '') AS value`;
  const options = { lane: 'long', format: 'TSVRaw', aside: true, signal: controller.signal } as const;
  const reading = (async () => {
    for await (const chunk of embedded.query(sql, options)) void chunk;
  })();
  const checked = assert.rejects(reading, /stop preparing/);
  while ((await statementsLike('prepare')) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(await embedded.text('SELECT 1', { lane: 'short' }), '1\n');
  controller.abort(new Error('stop preparing'));
  await checked;
  while ((await statementsLike('prepare')) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});

test('when a canceled statement has rejected, its connection is free', async () => {
  const tables = Array.from(
    { length: 12 },
    (_, i) => `(SELECT number AS n FROM numbers(60)) AS t${String(i)}`,
  );
  const sql = `SELECT count() FROM ${tables.join(', ')} WHERE t0.n + t1.n + t11.n <> 7 AND 'held!' != ''`;
  const ways: readonly ((signal: AbortSignal) => Promise<unknown>)[] = [
    async (signal) => embedded.bytes(sql, { lane: 'long', format: 'TSVRaw', signal }),
    async (signal) => Array.fromAsync(embedded.query(sql, { lane: 'long', format: 'TSVRaw', signal })),
  ];
  for (const way of ways) {
    const controller = new AbortController();
    const checked = assert.rejects(way(controller.signal), /let go/);
    while ((await statementsLike('held')) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error('let go'));
    await checked;
    assert.equal(await statementsLike('held'), 0);
  }
});

test('several stores share one folder, and a closed store fails with 503 AccumuloError', async () => {
  const second = await openChdbEngine({ path: engineFolder() });
  await second.close();
  await assert.rejects(second.text('SELECT 1', { lane: 'short' }), {
    name: 'AccumuloError',
    code: 503,
    message: /not available/,
  });
  assert.equal(await embedded.text('SELECT 1', { lane: 'short' }), '1\n');
});

test('opening a folder that another process uses fails and names that process', async () => {
  await assert.rejects(openChdbEngine({ path: `${engineFolder()}-other` }), EngineOpenError);
  const script = `
    const { openChdbEngine } = await import(${JSON.stringify(new URL('./chdb-engine.ts', import.meta.url).href)});
    await openChdbEngine({ path: ${JSON.stringify(engineFolder())} }).then(
      () => console.log('opened'),
      (fault) => console.log(fault.name, fault.heldBy),
    );
    process.exit(0);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(stdout.trim(), `EngineOpenError ${process.pid}`);
});

test('a process exits without a crash after its engine was closed while statements were streaming', async () => {
  const script = `
    const { openChdbEngine } = await import(${JSON.stringify(new URL('./chdb-engine.ts', import.meta.url).href)});
    const stop = new AbortController();
    const engine = await openChdbEngine({ path: ${JSON.stringify(`${engineFolder()}-ended`)}, stopped: stop.signal });
    const hard = 'SELECT sum(number) OVER (ORDER BY sipHash64(number)) FROM numbers(1000000000)';
    const rows = 'SELECT number FROM numbers(100000000000)';
    const ask = (sql, aside) => engine.query(sql, { lane: 'long', format: 'TSVRaw', aside })[Symbol.asyncIterator]();
    for (const aside of [false, true]) await ask(rows, aside).next();
    const faults = [false, true].map((aside) => ask(hard, aside).next().catch((fault) => fault.name));
    await new Promise((resolve) => setTimeout(resolve, 300));
    stop.abort();
    await engine.close();
    console.log(...(await Promise.all(faults)));
    process.exit(0);`;
  const file = `${engineFolder()}-ended.mjs`;
  writeFileSync(file, script);
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  rmSync(file);
  rmSync(`${engineFolder()}-ended`, { recursive: true });
  assert.deepEqual([stdout.trim(), stderr, status], ['AccumuloError AccumuloError', '', 0]);
});
