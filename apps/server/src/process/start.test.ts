import {
  migrateDataFolder,
  startServerProcess,
  ServerDidNotStart,
  type ServerProcess,
} from '@redoubt/server/testing';
import { equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

/** What the server says when it cannot start: one line and the exit code 1. */
const refusal = async (options: Parameters<typeof startServerProcess>[0]): Promise<string> => {
  try {
    const server = await startServerProcess(options);
    await server.kill();
  } catch (error) {
    ok(error instanceof ServerDidNotStart);
    equal(error.exitCode, 1);
    const lines = error.output.trim().split('\n');
    equal(lines.length, 1, error.output);
    return lines[0] ?? '';
  }
  throw new Error('the server started');
};

describe('starting the server', () => {
  let folder: string;
  let dataDir: string;
  /** Used by one test after another, as making what a first start makes takes seconds. */
  let other: string;
  let running: ServerProcess;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redoubt-start-'));
    dataDir = join(folder, 'data');
    other = await migrateDataFolder(join(folder, 'other'));
    running = await startServerProcess({ dataDir });
  });
  after(async () => {
    await running.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test('a data folder that another process holds is refused with the process and what to do', async () => {
    match(
      await refusal({ dataDir }),
      /data folder .* is in use by process \d+: stop that one, or set DATA_DIR/,
    );
  });

  test('a port in use is refused with what to do, and the data folder is free again', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupant.once('listening', resolve));
    const port = String((occupant.address() as AddressInfo).port);
    const line = await refusal({ dataDir: other, environment: { PORT: port } });
    occupant.close();
    match(line, new RegExp(`^Port ${port} is in use: .* set PORT`));
    const server = await startServerProcess({ dataDir: other });
    equal(await server.stop(), 0);
  });

  test('a data folder that cannot be written is refused with what to do', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    match(await refusal({ dataDir: file }), /data folder .* cannot be written .* set DATA_DIR/);
  });

  test('a setting that cannot be used is refused by its name, with what is expected', async () => {
    const unused = join(folder, 'unused');
    match(await refusal({ dataDir: unused, environment: { PORT: 'http' } }), /^PORT is "http"; expected/);
    match(
      await refusal({ dataDir: unused, environment: { DATABASE_URL: 'mysql://x' } }),
      /^DATABASE_URL is no address of the form postgres:/,
    );
    match(
      await refusal({ dataDir: unused, environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } }),
      /^DATABASE_URL: the PostgreSQL server at 127.0.0.1:1 cannot be used/,
    );
  });

  test('a lock that a killed process left behind is taken over', async () => {
    const first = await startServerProcess({ dataDir: other });
    await first.kill();
    const second = await startServerProcess({ dataDir: other });
    equal(await second.stop(), 0);
  });

  test('it listens on loopback alone and says where', () => {
    match(running.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test('health answers 200 once the server is ready', async () => {
    const response = await fetch(`${running.url}/health`);
    equal(response.status, 200);
    equal(await response.text(), '{"status":"ok"}');
  });

  test('on Ctrl-C it finishes the requests in flight', async () => {
    const server = await startServerProcess({ dataDir: other });
    const names = { firstName: 'A', lastName: 'B' };
    const body = JSON.stringify({ ...names, email: 'a@example.org', password: 'long enough' });
    const signUp = request(`${server.url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    });
    signUp.flushHeaders();
    // The server has the request and waits for its body.
    await once(signUp, 'continue');
    const code = server.stop('SIGINT');
    while (!server.output().includes('Stopping')) await new Promise((resolve) => setTimeout(resolve, 10));
    signUp.end(body);
    const [response] = (await once(signUp, 'response')) as [IncomingMessage];
    equal(response.resume().statusCode, 201);
    equal(await code, 0);
  });

  test('a second Ctrl-C ends the grace of a stop, and the request in flight is told so', async () => {
    const server = await startServerProcess({
      dataDir: other,
      environment: { STOP_GRACE_SECONDS: '3600' },
    });
    const asking = request(`${server.url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 100, expect: '100-continue' },
    });
    asking.flushHeaders();
    await once(asking, 'continue');
    const code = server.stop('SIGINT');
    while (!server.output().includes('Stopping')) await new Promise((resolve) => setTimeout(resolve, 10));
    const answered = once(asking, 'response') as Promise<[IncomingMessage]>;
    equal(await Promise.race([server.stop('SIGINT'), code]), 0);
    const [response] = await answered;
    const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
    equal(response.statusCode, 503);
    match(Buffer.concat(chunks).toString(), /"name":"AccumuloError"/);
    equal(response.headers['retry-after'], '5');
  });
});
