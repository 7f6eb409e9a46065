/* Shows: A-clean-stop, A-health, A-loopback, A-port-in-use, A-data-folder-held, A-missing-permission,
   A-settings, A-lock-taken-over */
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

/** The error line of a server that cannot start; its exit code must be 1. */
const startError = async (options: Parameters<typeof startServerProcess>[0]): Promise<string> => {
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
  /** Shared by the tests, since a first start takes seconds. */
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

  test('the error for a data folder that another process uses names the process and what to do', async () => {
    match(
      await startError({ dataDir }),
      /data folder .* is in use by process \d+\. Stop that process, or set DATA_DIR/,
    );
  });

  test('the error for a port in use says what to do, and the data folder is unlocked again', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupant.once('listening', resolve));
    const port = String((occupant.address() as AddressInfo).port);
    const line = await startError({ dataDir: other, environment: { PORT: port } });
    occupant.close();
    match(line, new RegExp(`^Port ${port} is in use\\. .* set PORT`));
    const server = await startServerProcess({ dataDir: other });
    equal(await server.stop(), 0);
  });

  test('the error for a data folder that cannot be written says what to do', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    match(await startError({ dataDir: file }), /^Cannot write to the data folder .* set DATA_DIR/);
  });

  test('the error for a setting that cannot be used names it and what is expected', async () => {
    const unused = join(folder, 'unused');
    match(
      await startError({ dataDir: unused, environment: { PORT: 'http' } }),
      /^PORT must be a whole number .*, got "http"\. Change it/,
    );
    match(
      await startError({ dataDir: unused, environment: { DATABASE_URL: 'mysql://x' } }),
      /^DATABASE_URL must be a URL of the form postgres:/,
    );
    match(
      await startError({
        dataDir: unused,
        environment: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      }),
      /^DATABASE_URL: cannot use the PostgreSQL server at 127.0.0.1:1/,
    );
  });

  test('the lock of a killed process is taken over', async () => {
    const first = await startServerProcess({ dataDir: other });
    await first.kill();
    const second = await startServerProcess({ dataDir: other });
    equal(await second.stop(), 0);
  });

  test('it listens only on loopback and prints its URL', () => {
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
    // The server has received the headers and waits for the body.
    await once(signUp, 'continue');
    const code = server.stop('SIGINT');
    while (!server.output().includes('Stopping')) await new Promise((resolve) => setTimeout(resolve, 10));
    signUp.end(body);
    const [response] = (await once(signUp, 'response')) as [IncomingMessage];
    equal(response.resume().statusCode, 201);
    equal(await code, 0);
  });

  test('a second Ctrl-C ends the grace period of a stop, and the request in flight gets a 503', async () => {
    const server = await startServerProcess({
      dataDir: other,
      environment: { STOP_GRACE_SECONDS: '3600' },
    });
    const inFlight = request(`${server.url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 100, expect: '100-continue' },
    });
    inFlight.flushHeaders();
    await once(inFlight, 'continue');
    const code = server.stop('SIGINT');
    while (!server.output().includes('Stopping')) await new Promise((resolve) => setTimeout(resolve, 10));
    const responded = once(inFlight, 'response') as Promise<[IncomingMessage]>;
    equal(await Promise.race([server.stop('SIGINT'), code]), 0);
    const [response] = await responded;
    const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
    equal(response.statusCode, 503);
    match(Buffer.concat(chunks).toString(), /"name":"AccumuloError"/);
    equal(response.headers['retry-after'], '5');
  });
});
