/* Shows: A-jobs-turns, A-jobs-waiting */
import type { Job } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createUploadFixture,
  sendRequest,
  type RecordFixture,
  type TestPerson,
} from '@redoubt/testkit';
import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';

describe('a person with 100 waiting jobs in a workspace', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let person: TestPerson;
  let colleague: TestPerson;
  let datasetId: string;
  let release: () => void;
  let waiting: Job[];

  const startJob = (status = 202, { token }: Pick<TestPerson, 'token'> = person): Promise<Job> =>
    fixture.call<Job>(status, 'POST', `/storage/datasets/${datasetId}/deleteRecords`, {
      token,
      body: { recordIds: ['none'] },
    });

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    [person, colleague] = [await fixture.newReader('A'), await fixture.newReader('A')];
    datasetId = await fixture.dataset();
    release = server.holdChanges();
    const running = await startJob();
    const isQueued = async () =>
      (await fixture.call<Job>(200, 'GET', `/jobs/${running.id}`, { token: person.token })).status ===
      'queued';
    while (await isQueued());
    waiting = [];
    for (let count = 0; count < 100; count += 1) waiting.push(await startJob());
  });
  after(() => server.close());

  const message = /At most 100 jobs of a person may wait in a workspace, and as many of yours do/;

  /** Sends the head of a request whose body never arrives. */
  const sendHead = async (path: string, contentType: string) => {
    const sent = request(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${person.token}`,
        'content-type': contentType,
        'content-length': '2000',
      },
    });
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(response);
    sent.destroy();
    return { status: response.statusCode, retryAfter: response.headers['retry-after'], body };
  };

  test('gets 429 for another upload, ingest and replay before the body is read', async () => {
    for (const [path, contentType] of [
      ['/uploads', 'multipart/form-data; boundary=x'],
      ['/ingest', 'application/json'],
      [`/jobs/${waiting[0]?.id ?? ''}/rejected-rows/replay`, 'application/json'],
    ] as const) {
      const { status, retryAfter, body } = await sendHead(path, contentType);
      deepEqual([path, status, retryAfter], [path, 429, '10']);
      match(body, message);
    }
  });

  test('gets 429 for another job of any kind, and for a retry, also with an API key', async () => {
    match(JSON.stringify(await startJob(429)), message);
    const canceled = waiting.pop();
    const patch = (status: number, to: string) =>
      fixture.call<Job>(status, 'PATCH', `/jobs/${canceled?.id ?? ''}`, {
        token: person.token,
        body: { status: to },
      });
    await patch(200, 'canceled');
    waiting.push(await startJob());
    await patch(429, 'queued');
    equal((await patch(200, 'canceled')).status, 'canceled');
    const { body: key } = await sendRequest<{ key: string }>(server, 'POST', '/api-keys', {
      token: person.token,
      body: { name: 'a key', workspaceId: fixture.workspace.id, groupNames: ['Readers'], attributeNames: [] },
    });
    const byKey = await sendRequest(server, 'POST', `/storage/datasets/${datasetId}/deleteRecords`, {
      headers: { 'x-api-key': key.key },
      body: { recordIds: ['none'] },
    });
    equal(byKey.status, 429);
  });

  test('does not keep others from uploading to the same dataset, and their upload does not wait behind these jobs', async () => {
    const { send } = createUploadFixture(fixture, () => server.jobsSettled());
    const sent = (await send('/uploads', 201, { 'a.csv': 'n\n1\n' }, { datasetId }, colleague.token)) as {
      jobId: string;
    };
    const statusOf = async () =>
      (await fixture.call<Job>(200, 'GET', `/jobs/${sent.jobId}`, { token: colleague.token })).status;
    while ((await statusOf()) !== 'completed');
    equal(
      (await fixture.call<Job>(200, 'GET', `/jobs/${waiting.at(-1)?.id ?? ''}`, { token: person.token }))
        .status,
      'queued',
    );
  });

  test('can start jobs again when some have started', async () => {
    release();
    await server.jobsSettled();
    await startJob();
    await server.jobsSettled();
  });
});
