/* Shows: E-ApplicationGrant, A-grants-over */
import type { ApplicationGrant, Dataset, Job } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  createWorkspace,
  createSender,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { applicationToken } from '@redoubt/testkit/requests';

const path = '/application-grants';
const hourMs = 60 * 60 * 1000;

describe('grants of people to applications', () => {
  let server: TestServer;
  let workspace: TestWorkspace;
  let admin: TestPerson;
  let person: TestPerson;
  before(async () => {
    server = await startServer();
    workspace = await createWorkspace(server);
    ({ admin } = workspace);
  });
  beforeEach(async () => {
    person = await addMember(server, workspace);
  });
  after(() => server.close());

  const allow = (who: TestPerson = person): Promise<string> =>
    applicationToken(createSender(server), admin, workspace.id, who, 'mls');
  const list = async ({ token }: { token: string }, query = '') => {
    const { status, body } = await sendRequest<{ total: number; data: ApplicationGrant[] }>(
      server,
      'GET',
      `${path}${query}`,
      { token },
    );
    equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const remove = (id: string | undefined, { token }: { token: string } = person) =>
    sendRequest<ApplicationGrant>(server, 'DELETE', `${path}/${id ?? ''}`, { token });
  const statusOf = async (token: string): Promise<number> =>
    (await sendRequest(server, 'GET', '/me', { token })).status;
  const rows = () => server.db.selectFrom('application_grants').select('id').execute();

  test('people see their own valid grants, and nobody else does', async () => {
    const other = await addMember(server, workspace);
    deepEqual(await list(person), []);
    const token = await allow();
    await allow(other);
    const [grant, ...more] = await list(person);
    ok(grant !== undefined && more.length === 0);
    deepEqual(Object.keys(grant).toSorted(), [
      'applicationId',
      'createdAt',
      'expiresAt',
      'id',
      'name',
      'type',
      'url',
      'workspaceId',
    ]);
    deepEqual(
      [grant.name, grant.url, grant.type, grant.workspaceId],
      ['Walker mls', 'https://walker.example', 'mls', workspace.id],
    );
    equal(Math.round((Date.parse(grant.expiresAt) - Date.parse(grant.createdAt)) / hourMs), 30 * 24);
    deepEqual(await list(person, `?applicationId=${grant.applicationId}&type=mls&name=Walker%20mls`), [
      grant,
    ]);
    deepEqual(await list(person, '?type=sls'), []);
    deepEqual(await list(admin, `?id=${grant.id}`), []);
    for (const who of [admin, other]) equal((await remove(grant.id, who)).status, 404);
    for (const method of ['GET', 'DELETE'] as const) {
      const where: string = method === 'GET' ? path : `${path}/${grant.id}`;
      equal((await sendRequest(server, method, where, { token })).status, 403, 'an application is no person');
    }
    equal(await statusOf(token), 200);
    await sendRequest(server, 'PATCH', `/applications/${grant.applicationId}`, {
      token: admin.token,
      body: { allowedUsers: [] },
    });
    deepEqual(await list(person), []);
  });

  test('a revoked grant ends from the next request on, with its jobs, and is audited', async () => {
    const { body: dataset } = await sendRequest<Dataset>(server, 'POST', '/datasets', {
      token: person.token,
      body: { name: 'Mine', workspaceId: workspace.id },
    });
    await sendRequest(server, 'POST', `/write/${dataset.id}?isAsync=false`, {
      token: person.token,
      body: [{ n: 1 }],
    });
    const [token, kept] = [await allow(), await allow()];
    const letGo = server.holdChanges();
    const job = await sendRequest<Job>(server, 'POST', `/storage/datasets/${dataset.id}/deleteRecords`, {
      token,
      body: { recordIds: [], deleteAll: true },
    });
    equal(job.status, 202, JSON.stringify(job.body));
    const [, grant] = await list(person, '?$sort[createdAt]=-1');
    const taken = await remove(grant?.id);
    deepEqual([taken.status, taken.body], [200, grant]);
    equal((await remove(grant?.id)).status, 404);
    deepEqual([await statusOf(token), await statusOf(kept), await statusOf(person.token)], [401, 200, 200]);
    letGo();
    await server.jobsSettled();
    const ended = await sendRequest<Job>(server, 'GET', `/jobs/${job.body.id}`, { token: person.token });
    equal(ended.body.status, 'failed');
    match(ended.body.error?.message ?? '', /its grant is no longer valid/);
    const { body: log } = await sendRequest<{ data: { description: string; userId: string }[] }>(
      server,
      'POST',
      '/audit-log/query',
      { token: admin.token, body: { expression: `type:Login AND userId:"${person.id}" AND revoked` } },
    );
    deepEqual(
      log.data.map(({ description }) => description),
      ['revoked the grant of the application "Walker mls": by its user'],
    );
  });

  test('a retried job of an application uses the grant of its person at that time', async () => {
    const { body: dataset } = await sendRequest<Dataset>(server, 'POST', '/datasets', {
      token: person.token,
      body: { name: 'Again', workspaceId: workspace.id },
    });
    const token = await allow();
    const letGo = server.holdChanges();
    const job = await sendRequest<Job>(server, 'POST', `/storage/datasets/${dataset.id}/deleteRecords`, {
      token,
      body: { recordIds: [], deleteAll: true },
    });
    const grants = await list(person);
    await remove(grants[0]?.id);
    letGo();
    await server.jobsSettled();
    const again = await sendRequest<Job>(server, 'PATCH', `/jobs/${job.body.id}`, {
      token: person.token,
      body: { status: 'queued' },
    });
    equal(again.status, 200);
    await server.jobsSettled();
    const ended = await sendRequest<Job>(server, 'GET', `/jobs/${job.body.id}`, { token: person.token });
    equal(ended.body.status, 'failed', 'it is a job of the application still');
  });

  test('a job of an application without a known grant does nothing, and a retry uses the grant of its token', async () => {
    const { body: dataset } = await sendRequest<Dataset>(server, 'POST', '/datasets', {
      token: person.token,
      body: { name: 'Unknown', workspaceId: workspace.id },
    });
    const token = await allow();
    const letGo = server.holdChanges();
    const job = await sendRequest<Job>(server, 'POST', `/storage/datasets/${dataset.id}/deleteRecords`, {
      token,
      body: { recordIds: [], deleteAll: true },
    });
    const patch = async (by: string, status: 'canceled' | 'queued'): Promise<string> => {
      const path = `/jobs/${job.body.id}`;
      equal((await sendRequest(server, 'PATCH', path, { token: by, body: { status } })).status, 200);
      await server.jobsSettled();
      return (await sendRequest<Job>(server, 'GET', path, { token: person.token })).body.status;
    };
    equal(await patch(token, 'canceled'), 'canceled');
    letGo();
    // Simulates a session that was deleted between the request and the job.
    await server.db.updateTable('jobs').set({ grant_id: null }).where('id', '=', job.body.id).execute();
    equal(await patch(person.token, 'queued'), 'failed');
    equal(await patch(token, 'queued'), 'completed');
  });

  test('rows of ended grants are deleted with the next consent, except those that a job uses', async () => {
    const over = await allow();
    const [ended] = await list(person);
    await sendRequest(server, 'DELETE', '/authentication/null', { token: over });
    const { body: dataset } = await sendRequest<Dataset>(server, 'POST', '/datasets', {
      token: person.token,
      body: { name: 'Waits', workspaceId: workspace.id },
    });
    const working = await allow();
    const letGo = server.holdChanges();
    const job = await sendRequest<Job>(server, 'POST', `/storage/datasets/${dataset.id}/deleteRecords`, {
      token: working,
      body: { recordIds: [], deleteAll: true },
    });
    equal(job.status, 202, JSON.stringify(job.body));
    const [goesOn] = await list(person);
    server.runtime.clock.advance(40 * 24 * hourMs);
    const { body: signedIn } = await sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', {
      body: {
        strategy: 'local',
        email: person.email,
        password: person.password,
        workspaceId: workspace.id,
      },
    });
    const { body: adminSignedIn } = await sendRequest<{ accessToken: string }>(
      server,
      'POST',
      '/authentication',
      {
        body: { strategy: 'local', email: admin.email, password: admin.password, workspaceId: workspace.id },
      },
    );
    const later = { ...person, token: signedIn.accessToken };
    deepEqual(await list(later), []);
    const arranger = { ...admin, token: adminSignedIn.accessToken };
    const allowLater = () => applicationToken(createSender(server), arranger, workspace.id, later, 'mls');
    await allowLater();
    const [fresh] = await list(later);
    const left = (await rows()).map(({ id }) => id);
    ok(!left.includes(ended?.id ?? ''));
    deepEqual(new Set(left), new Set([goesOn?.id, fresh?.id]));
    letGo();
    await server.jobsSettled();
    const done = await sendRequest<Job>(server, 'GET', `/jobs/${job.body.id}`, { token: later.token });
    equal(done.body.status, 'completed');
    await allowLater();
    ok(!(await rows()).some(({ id }) => id === goesOn?.id));
  });
});
