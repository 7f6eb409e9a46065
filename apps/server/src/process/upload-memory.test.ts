/* Shows: A-upload-memory */
import { migrateDataFolder, startServerProcess, type ServerProcess } from '@redoubt/server/testing';
import { memoryOf, sendRequest } from '@redoubt/testkit';
import { equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const password = 'correct horse battery';
const mebibyte = 1024 * 1024;
const uploadMegabytes = 300;
/** Maximum growth of the memory while an upload is received, mostly by buffers that wait for garbage collection. */
const maxGrowthMegabytes = 150;

let dataDir: string;
let server: ServerProcess;
let token: string;

const signIn = async (): Promise<string> => {
  const body = { strategy: 'local', email: 'admin@memory.example', password };
  return (await sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', { body })).body
    .accessToken;
};

before(async () => {
  dataDir = await migrateDataFolder(await mkdtemp(join(tmpdir(), 'redoubt-memory-')));
  server = await startServerProcess({ dataDir, environment: { LOG_LEVEL: 'error' } });
  const body = { email: 'admin@memory.example', firstName: 'Kim', lastName: 'Test', password };
  await sendRequest(server, 'POST', '/users', { body });
  token = await signIn();
  await sendRequest(server, 'POST', '/workspaces', { token, body: { name: 'Memory' } });
  token = await signIn();
});
after(async () => {
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
});

/** A multipart body with a file of zero bytes, which no format takes, made while it is sent. */
const uploadOf = (datasetId: string, megabytes: number, sent: () => void): ReadableStream<Uint8Array> => {
  const zeros = Buffer.alloc(mebibyte);
  let left = megabytes;
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(
        Buffer.from(
          `--b\r\ncontent-disposition: form-data; name="datasetId"\r\n\r\n${datasetId}\r\n--b\r\ncontent-disposition: form-data; name="files"; filename="zeros.bin"\r\n\r\n`,
        ),
      );
    },
    pull: (controller) => {
      sent();
      if (left-- > 0) {
        controller.enqueue(Uint8Array.from(zeros));
        return;
      }
      controller.enqueue(Buffer.from('\r\n--b--\r\n'));
      controller.close();
    },
  });
};

test('the memory of the server does not grow with the size of an upload', async () => {
  const made = await sendRequest<{ id: string }>(server, 'POST', '/datasets', {
    token,
    body: { name: 'Large', workspaceId: 'memory' },
  });
  let peak = 0;
  const send = async (megabytes: number): Promise<void> => {
    peak = 0;
    const response = await fetch(`${server.url}/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: uploadOf(made.body.id, megabytes, () => {
        peak = Math.max(peak, memoryOf(server.pid).anonymous);
      }),
      duplex: 'half',
    });
    equal(response.status, 201, await response.text());
  };
  // The first upload loads code that stays in memory, so it is not measured.
  await send(30);
  const before = peak;
  await send(uploadMegabytes);
  ok(peak - before < maxGrowthMegabytes, `${before} MB with 30 MB, ${peak} MB with ${uploadMegabytes} MB`);
});
