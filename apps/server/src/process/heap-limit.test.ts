/* Shows: A-full-heap */
import { migrateDataFolder, startServerProcess } from '@redoubt/server/testing';
import { sendRequest } from '@redoubt/testkit';
import { equal, match } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

/** Makes the process fill its heap when it gets a signal. */
const fillHeapOnSignal = `process.on('SIGUSR2', () => { const kept = []; for (;;) kept.push(new Array(100000).fill({})); });`;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const start = async (t: TestContext) => {
  const dataDir = await migrateDataFolder(await mkdtemp(join(tmpdir(), 'redoubt-heap-')));
  const server = await startServerProcess({
    dataDir,
    environment: {
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--max-old-space-size=250 --import=data:text/javascript,${encodeURIComponent(fillHeapOnSignal)}`,
    },
  });
  t.after(async () => {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  return server;
};

/** Reads a dataset as a stream, for which the engine opens another connection on another thread. */
const readStream = async (server: { url: string }): Promise<void> => {
  const person = { email: 'admin@heap.example', password: 'correct horse battery' };
  const signIn = async (): Promise<string> => {
    const body = { strategy: 'local', ...person };
    return (await sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', { body })).body
      .accessToken;
  };
  await sendRequest(server, 'POST', '/users', { body: { ...person, firstName: 'Kim', lastName: 'Test' } });
  const workspace = await sendRequest<{ id: string }>(server, 'POST', '/workspaces', {
    token: await signIn(),
    body: { name: 'Heap' },
  });
  const token = await signIn();
  const dataset = await sendRequest<{ id: string }>(server, 'POST', '/datasets', {
    token,
    body: { name: 'Rows', workspaceId: workspace.body.id },
  });
  const datasetId = dataset.body.id;
  equal((await sendRequest(server, 'POST', `/write/${datasetId}`, { token, body: [{ n: 1 }] })).status, 200);
  const body = { datasetId, batchSize: -1 };
  equal((await sendRequest(server, 'POST', '/readInSequence', { token, body })).status, 200);
};

/** Waits for the end of a process, and prints how long that took. */
const waitForEnd = async (t: TestContext, pid: number): Promise<void> => {
  const begun = performance.now();
  while (isRunning(pid)) await delay(10);
  t.diagnostic(`ended after ${Math.round(performance.now() - begun)} ms`);
};

test('a process whose heap is full ends, also after the engine has opened connections', async (t) => {
  const server = await start(t);
  await readStream(server);
  process.kill(server.pid, 'SIGUSR2');
  while (!server.output().includes('FATAL ERROR')) await delay(10);
  await waitForEnd(t, server.pid);
  match(server.output(), /FATAL ERROR: .*heap out of memory/);
});

test('a process that is aborted ends', async (t) => {
  const server = await start(t);
  process.kill(server.pid, 'SIGABRT');
  await waitForEnd(t, server.pid);
});
