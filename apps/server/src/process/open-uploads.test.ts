/* Shows: A-ingest-bounds */
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { memoryOf, sendRequest } from '@redoubt/testkit';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** Together the texts are twice as large as the heap. */
const uploads = 80;
const heapMegabytes = 320;
const textBytes = 1_000_000;
const texts = [
  'customMetadata',
  'accessControlLabel',
  'fileOptions',
  'columnSecurityLabelInfo',
  'keyColumns',
  'writeMode',
  'ocrLanguages',
  'processAsDocument',
];
const bombs = 100;

const tokenOf = async (server: ServerProcess, email: string): Promise<string> => {
  const body = { strategy: 'local', email, password: 'correct horse battery' };
  return (await sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', { body })).body
    .accessToken;
};

const personOf = async (server: ServerProcess, email: string): Promise<string> => {
  const body = { email, firstName: 'Kim', lastName: 'Test', password: 'correct horse battery' };
  await sendRequest(server, 'POST', '/users', { body });
  const name = `Workspace of ${email}`;
  await sendRequest(server, 'POST', '/workspaces', { token: await tokenOf(server, email), body: { name } });
  return tokenOf(server, email);
};

const text = Buffer.alloc(textBytes, 'x');

/** Opens an upload that sends long texts and does not end. */
const openUpload = async (
  server: ServerProcess,
  token: string,
  statuses: number[],
): Promise<ClientRequest> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' };
  const upload = request(`${server.url}/uploads`, { method: 'POST', headers });
  upload.on('error', () => undefined);
  const responded = new Promise<void>((resolve) => {
    upload.on('response', (response) => {
      statuses.push(response.statusCode ?? 0);
      response.resume();
      resolve();
    });
  });
  for (const name of texts) {
    upload.write(`--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`);
    upload.write(text);
    const written = new Promise<void>((resolve) => upload.write('\r\n', () => resolve()));
    // The server may close the connection after its response: then nothing more is written.
    await Promise.race([written, responded]);
  }
  return upload;
};

/** Measures, until it is stopped, the longest time of a response and the largest memory. */
const watch = (server: ServerProcess, token: string) => {
  const worst = { '/health': 0, '/me': 0, memory: 0 };
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      for (const path of ['/health', '/me'] as const) {
        const begun = performance.now();
        const { status } = await sendRequest(server, 'GET', path, { token });
        equal(status, 200);
        worst[path] = Math.max(worst[path], performance.now() - begun);
      }
      worst.memory = Math.max(worst.memory, memoryOf(server.pid).anonymous);
      await delay(20);
    }
  };
  const running = run();
  return async (): Promise<string> => {
    stopped.abort();
    await running;
    return `worst /health ${Math.round(worst['/health'])} ms, worst /me ${Math.round(worst['/me'])} ms, memory ${Math.round(worst.memory)} MB`;
  };
};

test('open uploads of one person and compressed bodies of strangers keep little memory, and others are served', async (t) => {
  const dataDir = await migrateDataFolder(await mkdtemp(join(tmpdir(), 'redoubt-open-')));
  const server = await startServerProcess({
    dataDir,
    environment: { LOG_LEVEL: 'error', NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` },
  });
  const open: ClientRequest[] = [];
  t.after(async () => {
    for (const upload of open) upload.destroy();
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  const attacker = await personOf(server, 'attacker@open.example');
  const other = await personOf(server, 'other@open.example');
  t.diagnostic(`at rest: ${await watch(server, other)()}`);

  const statuses: number[] = [];
  const stopUploads = watch(server, other);
  open.push(
    ...(await Promise.all(Array.from({ length: uploads }, () => openUpload(server, attacker, statuses)))),
  );
  while (statuses.length < uploads) await delay(20);
  t.diagnostic(`${uploads} open uploads: ${await stopUploads()}`);
  ok(
    statuses.every((status) => status === 413 || status === 429),
    String(statuses),
  );

  const body = gzipSync(JSON.stringify({ strategy: Array.from({ length: 1_300_000 }, () => ({})) }));
  const stopBombs = watch(server, other);
  const bomb = async (): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    return (await fetch(`${server.url}/authentication`, { method: 'POST', headers, body })).status;
  };
  const rejected = await Promise.all(Array.from({ length: bombs }, bomb));
  t.diagnostic(`${bombs} sign-ins of ${body.length} bytes in gzip: ${await stopBombs()}`);
  deepEqual(new Set(rejected), new Set([413]));
});
