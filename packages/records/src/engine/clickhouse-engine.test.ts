/* Shows: A-clickhouse-url, A-clickhouse-cluster */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestClickhouse } from '../../testing/index.ts';
import type { TestClickhouse } from '@redoubt/testkit';
import { ClickHouseError } from '@clickhouse/client';
import { openClickhouseEngine, type ClickhouseOptions } from './clickhouse-engine.ts';
import { untilError } from './clickhouse-stream.ts';
import { EngineError, EngineOpenError } from './engine-errors.ts';
import type { Engine } from './engine.ts';

let server: TestClickhouse;
before(async () => {
  server = await startTestClickhouse();
});
after(async () => server.stop());

const open = async (options: Partial<ClickhouseOptions> = {}): Promise<Engine> =>
  openClickhouseEngine({ ...server, random: { bytes: randomBytes }, ...options });

const read = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString('latin1');
  return text;
};

async function* piecesOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) if (piece.length > 0) yield piece;
}

test('an error in the middle of a response is not taken for rows, wherever the network splits it', async () => {
  const tag = 'ponmlkjihgfedcba';
  const rows = 'a\r\n__exception__\r\nb\r\n';
  const problem = `\r\n__exception__\r\n${tag}\r\nCode: 395. DB::Exception: hidden value plugh\n42 ${tag}\r\n__exception__\r\n`;
  const bytes = Buffer.from(rows + problem);
  for (let first = 0; first <= bytes.length; first++) {
    const pieces = [bytes.subarray(0, first), bytes.subarray(first, first + 7), bytes.subarray(first + 7)];
    let passed = '';
    const reading = async (): Promise<void> => {
      const chunks = untilError(piecesOf(pieces), tag);
      for await (const chunk of chunks) passed += Buffer.from(chunk).toString('latin1');
    };
    await assert.rejects(reading(), (error) => error instanceof ClickHouseError && error.code === '395');
    assert.equal(passed, rows);
  }
  const whole = piecesOf([Buffer.from('x\r'), Buffer.from('\n__exception_')]);
  assert.equal(await read(untilError(whole, tag)), 'x\r\n__exception_');
});

test('a stream that the server breaks off ends in an error that discloses nothing about rows', async () => {
  const engine = await open();
  try {
    const sql = "SELECT throwIf(number = 30000000, 'hidden value plugh') FROM numbers(40000000)";
    await assert.rejects(read(engine.query(sql, { lane: 'long', format: 'TSVRaw' })), (error) => {
      assert.ok(error instanceof EngineError);
      assert.doesNotMatch(String(error), /plugh/);
      return true;
    });
  } finally {
    await engine.close();
  }
});

test('an unreachable engine gives 503 AccumuloError, and is logged once until it responds again', async () => {
  const news: string[] = [];
  const engine = await open({ report: (line) => void news.push(line) });
  const unavailable = { name: 'AccumuloError', code: 503, message: /not available/ };
  try {
    const stream = engine.query('SELECT number FROM numbers(1000000000)', { lane: 'long', format: 'TSVRaw' });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    await server.kill();
    await assert.rejects(async () => {
      while ((await iterator.next()).done !== true);
    }, unavailable);
    for (let round = 0; round < 3; round++) {
      await assert.rejects(engine.text('SELECT 1', { lane: 'short' }), unavailable);
      await assert.rejects(engine.command('SELECT 1', { lane: 'write' }), unavailable);
    }
    await server.restart();
    assert.equal(await engine.text('SELECT 1', { lane: 'short' }), '1\n');
  } finally {
    await engine.close();
  }
  assert.equal(news.length, 2, news.join('\n'));
  assert.match(news[0] ?? '', /^The record engine at 127\.0\.0\.1:\d+ does not answer \(\w+\)\.$/);
  assert.match(news[1] ?? '', /answers again/);
});

test('the start waits for the engine, logs that it waits, and fails after a timeout', async () => {
  const news: string[] = [];
  await server.kill();
  const opening = open({ report: (line) => void news.push(line) });
  await new Promise((resolve) => setTimeout(resolve, 700));
  await server.restart();
  await (await opening).close();
  assert.equal(news.length, 2);
  assert.match(news[0] ?? '', /^Waiting for the record engine at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\.$/);
  await assert.rejects(open({ url: 'http://127.0.0.1:9', waitMs: 0 }), (error) => {
    assert.ok(error instanceof EngineOpenError);
    assert.match(error.message, /CLICKHOUSE_URL: the ClickHouse server at 127\.0\.0\.1:9 does not answer/);
    return true;
  });
});

test('if the engine rejects the user, the error names the settings to check', async () => {
  await assert.rejects(open({ password: 'wrong' }), (error) => {
    assert.ok(error instanceof EngineOpenError);
    assert.match(
      error.message,
      /refuses the user \(its code 516\): see CLICKHOUSE_USER and CLICKHOUSE_PASSWORD/,
    );
    return true;
  });
});

test('a statement that the server itself stops is 503 AccumuloError', async () => {
  const engine = await open();
  const administrator = await open({ username: 'default', password: '' });
  const endless = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1 AND 'alien!' != ''";
  const rows = "SELECT number, 'alien!' FROM numbers(1000000000000)";
  const alien = "query LIKE '%alien!%' AND user = 'redoubt'";
  try {
    for (const run of [
      async () => engine.text(endless, { lane: 'long' }),
      async () => read(engine.query(rows, { lane: 'long', format: 'Null' })),
    ]) {
      const checked = assert.rejects(run(), { name: 'AccumuloError', code: 503 });
      const running = `SELECT count() FROM system.processes WHERE ${alien}`;
      while ((await administrator.text(running, { lane: 'short' })) === '0\n') {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await administrator.command(`KILL QUERY WHERE ${alien} SYNC`, { lane: 'short' });
      await checked;
    }
  } finally {
    await engine.close();
    await administrator.close();
  }
});

test('an error is not taken for rows, whatever the settings profile of the user', async () => {
  const strange = await startTestClickhouse({ profile: { http_write_exception_in_output_format: 1 } });
  const engine = await openClickhouseEngine({ ...strange, random: { bytes: randomBytes } });
  const sql = "SELECT throwIf(number = 2000000, 'hidden value plugh') AS n FROM numbers(3000000)";
  let said = '';
  try {
    await assert.rejects(async () => {
      for await (const chunk of engine.query(sql, { lane: 'long', format: 'JSONEachRow' })) {
        said = (said + Buffer.from(chunk).toString('latin1')).slice(-4096);
      }
    }, EngineError);
    assert.doesNotMatch(said, /plugh/);
  } finally {
    await engine.close();
    await strange.stop();
  }
});

test('the start fails for a user who may not change settings, and says what to change', async () => {
  const fixed = await startTestClickhouse({ profile: { readonly: 1 } });
  try {
    await assert.rejects(openClickhouseEngine({ ...fixed, random: { bytes: randomBytes } }), (error) => {
      assert.ok(error instanceof EngineOpenError);
      assert.match(error.message, /does not let the user change settings \(its code 164\): .*readonly/);
      return true;
    });
  } finally {
    await fixed.stop();
  }
});

test('the start fails for a user who may only read', async () => {
  const reading = await startTestClickhouse({ profile: { readonly: 2 } });
  try {
    await assert.rejects(
      openClickhouseEngine({ ...reading, database: 'redoubt', random: { bytes: randomBytes } }),
      EngineOpenError,
    );
  } finally {
    await reading.stop();
  }
});

test('on a cluster rows are stored once most servers have them, reads stay on one server, and stopping reaches all', async () => {
  const requestedUrls: URL[] = [];
  const statements: string[] = [];
  const listener = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      requestedUrls.push(url);
      statements.push(url.searchParams.get('query') ?? body);
      response.setHeader('x-clickhouse-exception-tag', 'abcdefghijklmnop');
      if (body.includes('ON CLUSTER c SYNC')) {
        response.writeHead(500, { 'x-clickhouse-exception-code': 159 });
        response.end('Code: 159. DB::Exception: Distributed DDL task is not finished. (TIMEOUT_EXCEEDED)');
      } else if (body.includes('endless')) response.write('row\n');
      else response.end();
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const engine = await open({ url, cluster: 'c' });
  try {
    await engine.insert({ table: 'a.b', columns: ['n'], data: Buffer.from('1\n') });
    await engine.text('SELECT 1', { lane: 'short' });
    await assert.rejects(engine.command('DROP TABLE a.b ON CLUSTER c SYNC', { lane: 'short' }), {
      name: 'AccumuloError',
      code: 503,
    });
    for await (const _ of engine.query('SELECT endless', { lane: 'long', format: 'TSVRaw' })) break;
    while (statements.filter((sql) => sql.startsWith('KILL')).length < 2)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const settingsOf = (start: string): URLSearchParams | undefined =>
      requestedUrls[statements.findIndex((sql) => sql.startsWith(start))]?.searchParams;
    assert.equal(settingsOf('INSERT')?.get('insert_quorum'), 'auto');
    assert.equal(settingsOf('SELECT endless')?.get('prefer_localhost_replica'), '1');
    assert.equal(settingsOf('SELECT endless')?.get('max_replica_delay_for_distributed_queries'), '0');
    const kills = statements.filter((sql) => sql.startsWith('KILL')).map((sql) => sql.replace(/'.*'/, '?'));
    assert.deepEqual(kills.toSorted(), [
      'KILL QUERY ON CLUSTER c WHERE query_id = ? ASYNC',
      'KILL QUERY WHERE query_id = ? ASYNC',
    ]);
  } finally {
    await engine.close();
    listener.closeAllConnections();
    listener.close();
  }
});
