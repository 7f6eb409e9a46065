/* Shows: A-ingest-fair-previews, A-ingest-revoked, A-ingest-unnamed */
import type { Multipart } from '@fastify/multipart';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  multipartBody,
  type MultipartPart,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { request as sendPlainly } from 'node:http';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from '../../platform/auth/actor.ts';
import { findConfinement } from './parser/confinement.ts';
import type { ParserHost } from './parser/start-parser.ts';
import { createPreviewService } from './preview.service.ts';
import { createPreviewShares } from './preview-shares.ts';

const file = (content: string, fileName = 'rows.csv'): MultipartPart => ({
  name: 'files',
  fileName,
  content,
});
const text = (name: string, content: string): MultipartPart => ({ name, content });

const maxUnnamedBytes = 200_000;

describe('uploads whose bodies arrive slowly', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let person: TestPerson;

  before(async () => {
    server = await startServer({ ingestLimits: { maxUnnamedBytes } });
    fixture = await createRecordFixture(server);
    person = await fixture.newReader('A');
  });
  after(() => server.close());

  const spooled = async (): Promise<string[]> => {
    const entries = await readdir(server.filesFolder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };
  const announced = () => server.db.selectFrom('object_drops').select('object_name').execute();

  /** Sends all of a request except its end. */
  const begin = (path: string, parts: readonly MultipartPart[], token: string, missing = 10) => {
    const { body, headers } = multipartBody(parts);
    const request = sendPlainly(`${server.url}${path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-length': String(body.length) },
    });
    const response = new Promise<{ status: number; text: string }>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (message) => {
        let received = '';
        message.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
        message.on('end', () => resolve({ status: message.statusCode ?? 0, text: received }));
      });
    });
    request.write(body.subarray(0, body.length - missing));
    return {
      response,
      end: () => request.end(body.subarray(body.length - missing)),
      async abort() {
        request.destroy();
        await response.catch(() => undefined);
      },
    };
  };
  const send = async (parts: readonly MultipartPart[], token = person.token) => {
    const { body, headers } = multipartBody(parts);
    return fixture.post('/uploads', body, { token, headers });
  };
  const jobsOf = async (datasetId: string): Promise<number> =>
    (await fixture.call<{ total: number }>(200, 'GET', `/jobs?datasetId=${datasetId}`)).total;

  test("slow bodies of previews use up their sender's limit and do not affect other people", async () => {
    const other = await fixture.newReader();
    const preview = async (token: string): Promise<number> => {
      const { body, headers } = multipartBody([file('n\n1\n')]);
      return (await fixture.post('/uploads/preview', body, { token, headers })).status;
    };
    const slow = Array.from({ length: 5 }, () =>
      begin('/uploads/preview', [file('n\n1\n'.repeat(20_000))], person.token),
    );
    assert.equal((await Promise.race(slow.map(({ response }) => response))).status, 429);
    assert.equal(await preview(person.token), 429);
    assert.equal(await preview(other.token), 200);
    for (const { end } of slow) end();
    // Two previews of one person are parsed at the same time.
    const statuses = await Promise.all(slow.map(async ({ response }) => (await response).status));
    assert.ok(statuses.includes(200) && statuses.every((status) => status === 200 || status === 429));
    assert.equal(await preview(person.token), 200);
  });

  test('a session or key that is revoked while the body arrives starts no job, and its files are deleted', async () => {
    const datasetId = await fixture.dataset();
    const before = await spooled();
    const key = await fixture.call<{ id: string; key: string }>(201, 'POST', '/api-keys', {
      token: person.token,
      body: { name: 'K', workspaceId: fixture.workspace.id, groupNames: ['Readers'], attributeNames: [] },
    });
    const { accessToken } = await fixture.call<{ accessToken: string }>(
      201,
      'POST',
      '/authentication?apiKey=true',
      { token: '', body: { strategy: 'local', key: key.key } },
    );
    const own = await fixture.call<{ accessToken: string }>(201, 'POST', '/authentication', {
      token: '',
      body: {
        strategy: 'local',
        email: person.email,
        password: person.password,
        workspaceId: fixture.workspace.id,
      },
    });
    for (const [token, revoke] of [
      [
        own.accessToken,
        () => fixture.call(200, 'DELETE', `/authentication/${own.accessToken}`, { token: own.accessToken }),
      ],
      [accessToken, () => fixture.call(200, 'DELETE', `/api-keys/${key.id}`, { token: person.token })],
    ] as const) {
      const upload = begin('/uploads', [text('datasetId', datasetId), file('n\n1\n'.repeat(50_000))], token);
      while ((await announced()).length === 0) await delay(5);
      await revoke();
      upload.end();
      const { status, text: message } = await upload.response;
      assert.equal(status, 401, message);
      assert.match(message, /ended while the files arrived/);
      assert.deepEqual([await spooled(), await announced()], [before, []]);
    }
    assert.equal(await jobsOf(datasetId), 0);
  });

  test('a person whose right to write is revoked while the body arrives starts no job', async () => {
    const datasetId = await fixture.dataset();
    const before = await spooled();
    const upload = begin(
      '/uploads',
      [text('datasetId', datasetId), file('n\n1\n'.repeat(50_000))],
      person.token,
    );
    while ((await announced()).length === 0) await delay(5);
    const { data } = await fixture.call<{ data: { id: string; action: string }[] }>(
      200,
      'GET',
      `/dataset-permissions?datasetId=${datasetId}&action=write`,
    );
    for (const { id } of data) await fixture.call(200, 'DELETE', `/dataset-permissions/${id}`);
    upload.end();
    assert.equal((await upload.response).status, 403);
    assert.deepEqual([await spooled(), await announced(), await jobsOf(datasetId)], [before, [], 0]);
  });

  test('what a person sends before the dataset is named is bounded, over all of their requests', async () => {
    const datasetId = await fixture.dataset();
    const before = await spooled();
    const half = 'n\n1\n'.repeat(maxUnnamedBytes / 8);
    const after = text('datasetId', datasetId);
    assert.equal((await send([after, file(half), file(half), file('n\n1\n')])).status, 201);
    const large = await send([file(half), file(half), file('n\n1\n'), after]);
    assert.equal(large.status, 413, large.text);
    assert.match(
      large.text,
      /must follow the part datasetId, got more than \d+ bytes before it\. Send datasetId first/,
    );
    assert.equal((await send([file(half), after, file(half), file(half)])).status, 201);

    await server.jobsSettled();
    const stored = await spooled();
    const waiting = begin('/uploads', [file(half), file('n\n1\n'), after], person.token, 150);
    while ((await announced()).length < 2) await delay(5);
    assert.equal((await send([file(half), after])).status, 413);
    const other = await fixture.newReader();
    assert.equal((await send([file(half), after], other.token)).status, 201);
    await waiting.abort();
    while ((await announced()).length > 0) await delay(5);
    assert.equal((await send([file(half), after])).status, 201);
    assert.ok(stored.length > before.length);
  });

  test('the right is checked as soon as the dataset is named, also between two files', async () => {
    const readOnly = await fixture.dataset(['read']);
    const parts = [file('n\n1\n'), text('datasetId', readOnly), file('n\n1\n'.repeat(50_000))];
    const upload = begin('/uploads', parts, person.token);
    assert.equal((await upload.response).status, 403);
    await upload.abort();
    assert.deepEqual(await announced(), []);
  });
});

async function* smallFile(): AsyncGenerator<Multipart> {
  const content = Readable.from([Buffer.from('n\n1\n')]);
  yield { type: 'file', fieldname: 'files', filename: 'rows.csv', file: content } as unknown as Multipart;
}

const outcome = (pending: Promise<unknown>): Promise<string> =>
  pending.then(
    () => 'done',
    (error: Error) => error.message,
  );

test('a person has two previews parsed at once, and all people together six', async () => {
  const held = Promise.withResolvers<ParserHost>();
  const started: string[] = [];
  const { preview } = createPreviewService({
    shares: createPreviewShares(),
    parserHost: () => {
      started.push('parser');
      return held.promise;
    },
  });
  const query = (accountId: string): Promise<unknown> => {
    return preview({ accountId } as Member, smallFile(), new AbortController().signal);
  };
  const running = ['a', 'a', 'b', 'b', 'c'].map((person) => outcome(query(person)));
  while (started.length < 5) await delay(1);
  assert.match(await outcome(query('a')), /^You have too many previews running/);
  running.push(outcome(query('c')));
  while (started.length < 6) await delay(1);
  assert.match(await outcome(query('d')), /^Too many files are being previewed/);
  held.resolve({ ...(await findConfinement()), report: () => undefined });
  assert.deepEqual(
    await Promise.all(running),
    running.map(() => 'done'),
  );
  assert.equal(await outcome(query('d')), 'done');
});
