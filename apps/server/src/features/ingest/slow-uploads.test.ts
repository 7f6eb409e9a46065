/* Shows: A-ingest-fair-previews, A-ingest-revoked, A-ingest-unnamed */
import { maxOpenUploads } from '@redoubt/contract';
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
import type { Part } from '../../platform/http/multipart/multipart.ts';
import { readParts } from '../../platform/http/multipart/read-parts.ts';
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

describe('uploads whose bodies arrive slowly', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let person: TestPerson;

  before(async () => {
    server = await startServer();
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

  test('a file before the dataset is named is 400, and texts before it are bounded together', async () => {
    const datasetId = await fixture.dataset();
    const before = await spooled();
    const named = text('datasetId', datasetId);
    const early = await send([file('n\n1\n'), named]);
    assert.equal(early.status, 400, early.text);
    assert.match(early.text, /datasetId must be sent before the first file, got a file/);
    const metadata = (bytes: number) =>
      text('customMetadata', JSON.stringify({ a: 'x'.repeat(bytes - '{"a":""}'.length) }));
    const half = 32 * 1024;
    const labels = text('columnSecurityLabelInfo', `{${' '.repeat(half - 2)}}`);
    assert.equal((await send([labels, metadata(half), named, file('n\n1\n')])).status, 201);
    const more = await send([labels, metadata(half + 1), named, file('n\n1\n')]);
    assert.equal(more.status, 413, more.text);
    assert.match(more.text, /datasetId must follow texts of at most 65536 bytes together/);
    const late = await send([named, labels, metadata(2 * half), file('n\n1\n')]);
    assert.equal(late.status, 201, late.text);
    await server.jobsSettled();
    assert.equal((await spooled()).length, before.length + 2);
  });

  test('each text has a limit of its own, and is not kept beyond it', async () => {
    const datasetId = await fixture.dataset();
    for (const [name, bytes] of [
      ['writeMode', 16],
      ['accessControlLabel', 65_536],
      ['columnSecurityLabelInfo', 65_536],
      ['customMetadata', 65_536],
      ['fileOptions', 262_144],
    ] as const) {
      // The body never ends: the response comes as soon as the text is too long.
      const upload = begin(
        '/uploads',
        [text('datasetId', datasetId), text(name, ' '.repeat(bytes + 1000))],
        person.token,
        500,
      );
      const { status, text: message } = await upload.response;
      assert.equal(status, 413, message);
      assert.match(message, new RegExp(`${name} must have at most ${bytes} bytes`));
      await upload.abort();
    }
  });

  test('a person has so many uploads and previews open at once, and the next one is 429 before it is read', async () => {
    const datasetId = await fixture.dataset();
    const other = await fixture.newReader();
    const parts = [text('datasetId', datasetId), file('n\n1\n'.repeat(20_000))];
    const open = Array.from({ length: maxOpenUploads }, () => begin('/uploads', parts, person.token));
    while ((await announced()).length < maxOpenUploads) await delay(5);
    for (const path of ['/uploads', '/uploads/preview']) {
      const next = begin(path, parts, person.token);
      const { status, text: message } = await next.response;
      assert.equal(status, 429, message);
      assert.match(message, /at most 16 uploads and previews open at once/);
      await next.abort();
    }
    assert.equal((await send([text('datasetId', datasetId), file('n\n1\n')], other.token)).status, 201);
    await Promise.all(open.slice(1).map(({ abort }) => abort()));
    open[0]?.end();
    assert.equal((await open[0]?.response)?.status, 201);
    while ((await announced()).length > 0) await delay(5);
    assert.equal((await send([text('datasetId', datasetId), file('n\n1\n')])).status, 201);
  });

  test('the right is checked as soon as the dataset is named, before anything after it is read', async () => {
    for (const [id, status] of [
      [await fixture.dataset(['read']), 403],
      ['00000000-0000-4000-8000-000000000000', 404],
    ] as const) {
      const upload = begin(
        '/uploads',
        [text('datasetId', id), text('customMetadata', ' '.repeat(1000))],
        person.token,
        1050,
      );
      assert.equal((await upload.response).status, status);
      await upload.abort();
    }
    assert.deepEqual(await announced(), []);
  });
});

const smallFile = (): AsyncIterable<Part> => {
  const { body, headers } = multipartBody([file('n\n1\n')]);
  const boundary = headers['content-type'].split('boundary=')[1] ?? '';
  return readParts(Readable.from([Buffer.from(body)]).iterator(), boundary, () => undefined);
};

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
