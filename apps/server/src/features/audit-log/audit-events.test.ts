/* Shows: F-POST-/audit-log/query-includeInternalFields, D-audit-counts, A-audit-retention, A-audit-refusals,
   A-audit-jobs, D-container-audited, E-AuditLogConfiguration-ageInDays, E-AuditLogEvent-id,
   E-AuditLogEvent-type, E-AuditLogEvent-timestampMs, E-AuditLogEvent-description, E-AuditLogEvent-sourceIP,
   E-AuditLogEvent-datasetId, E-AuditLogEvent-actor, E-AuditLogEvent-details, V-auditEventType-Login,
   V-auditEventType-UserProfileManagement, V-auditEventType-UserManagement,
   V-auditEventType-WorkspaceManagement, V-auditEventType-AttributeManagement,
   V-auditEventType-GroupManagement, V-auditEventType-DatasetManagement, V-auditEventType-DataDownload,
   V-auditEventType-IdentityProviderManagement, V-auditEventType-WriteRecords, W-audit-query */
import {
  addMember,
  sendRequest,
  createWorkspace,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

interface Event {
  id: string;
  type: string;
  userId: string | null;
  timestampMs: number;
  description: string;
  sourceIP: string | null;
  datasetId: string | null;
  actor: string;
  details: Record<string, unknown>;
}

describe('the events of the audit log', () => {
  let server: TestServer;
  let workspace: TestWorkspace;
  let admin: TestPerson;
  let member: TestPerson;
  let datasetId: string;
  before(async () => {
    server = await startServer();
    workspace = await createWorkspace(server);
    ({ admin } = workspace);
    member = await addMember(server, workspace);
    datasetId = await made('/datasets', { name: 'Audited', workspaceId: workspace.id });
  });
  after(() => server.close());

  const made = async (path: string, body: unknown, token = admin.token): Promise<string> => {
    const response = await sendRequest<{ id: string }>(server, 'POST', path, { token, body });
    ok(response.status < 300, JSON.stringify(response.body));
    return response.body.id;
  };
  const events = async (expression: string, token = admin.token): Promise<Event[]> => {
    const body = { expression, limit: -1 };
    const response = await sendRequest<{ total: number; data: Event[] }>(server, 'POST', '/audit-log/query', {
      token,
      body,
    });
    equal(response.status, 200, JSON.stringify(response.body));
    equal(response.body.total, response.body.data.length);
    return response.body.data;
  };
  const descriptions = async (expression: string): Promise<string[]> =>
    (await events(expression)).map(({ description }) => description).toReversed();
  const write = async (records: readonly object[]): Promise<void> => {
    const response = await sendRequest(server, 'POST', `/v2/write/${datasetId}?isAsync=false`, {
      token: admin.token,
      body: {
        records,
        securityLabelInfo: {
          fields: ['label'],
          parserClassName: 'identity-parser',
          labelHandlingPolicy: 'ignore',
        },
      },
    });
    equal(response.status, 200, JSON.stringify(response.body));
  };

  test('signing in, failing to sign in and signing out are audit events of the type Login', async () => {
    const signIn = (password: string) =>
      sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', {
        body: { strategy: 'local', email: member.email, password, workspaceId: workspace.id },
      });
    equal((await signIn('this is not the password')).status, 401);
    const { body } = await signIn(member.password);
    await sendRequest(server, 'DELETE', '/authentication/null', { token: body.accessToken });
    const found = (await events(`type:Login AND userId:"${member.id}"`)).toReversed();
    deepEqual(
      found
        .slice(-3)
        .map(({ description, actor, sourceIP, details }) => [
          description,
          actor,
          sourceIP,
          details['outcome'],
        ]),
      [
        ['failed to sign in', member.email, '127.0.0.1', 'failed'],
        ['signed in', member.email, '127.0.0.1', 'success'],
        ['signed out', member.email, '127.0.0.1', undefined],
      ],
    );
    ok(!JSON.stringify(found).includes(member.password) && !JSON.stringify(found).includes(body.accessToken));
  });

  test('changes of people, groups, attributes, workspaces and datasets are audit events of their types', async () => {
    await sendRequest(server, 'PATCH', `/users/${member.id}`, {
      token: member.token,
      body: { firstName: 'Other' },
    });
    await sendRequest(server, 'PATCH', `/users/${member.id}`, { ...admin, body: { role: 'admin' } });
    await sendRequest(server, 'PATCH', `/users/${member.id}`, { ...admin, body: { role: 'member' } });
    deepEqual(await descriptions('type:UserProfileManagement'), ['changed their account']);
    deepEqual(await descriptions('type:UserManagement AND details.role:*'), [
      'changed the membership of a user',
      'changed the membership of a user',
    ]);
    const groupId = await made('/groups', { name: 'Pilots', workspaceId: workspace.id });
    const membershipId = await made('/group-memberships', { groupId, userId: member.id, role: 'member' });
    await sendRequest(server, 'DELETE', `/group-memberships/${membershipId}`, admin);
    await sendRequest(server, 'PATCH', `/groups/${groupId}`, { ...admin, body: { name: 'Flyers' } });
    deepEqual(await descriptions('type:GroupManagement'), [
      'created the group "Pilots"',
      'added a member to a group',
      'removed a member from a group',
      'renamed the group "Flyers"',
    ]);
    const attributeId = await made('/attributes', { name: 'A', token: 'A' });
    const assignmentId = await made('/attribute-assignments', { attributeId, userId: member.id });
    await sendRequest(server, 'DELETE', `/attribute-assignments/${assignmentId}`, admin);
    await sendRequest(server, 'DELETE', `/attributes/${attributeId}`, admin);
    deepEqual(await descriptions('type:AttributeManagement'), [
      'created the attribute "A"',
      'assigned an attribute to a user',
      'revoked an attribute from a user',
      'deleted the attribute "A"',
    ]);
    await sendRequest(server, 'PATCH', `/workspaces/${workspace.id}`, {
      ...admin,
      body: { name: 'Renamed' },
    });
    deepEqual(await descriptions('type:WorkspaceManagement'), [
      `created the workspace "${workspace.id}"`,
      `changed the workspace "${workspace.id}"`,
    ]);
    const other = await made('/datasets', { name: 'Short-lived', workspaceId: workspace.id });
    const permissionId = await made('/dataset-permissions', { action: 'read', datasetId: other, groupId });
    await sendRequest(server, 'DELETE', `/dataset-permissions/${permissionId}`, admin);
    await sendRequest(server, 'PATCH', `/datasets/${other}`, {
      ...admin,
      body: { description: 'Soon gone' },
    });
    await sendRequest(server, 'DELETE', `/datasets/${other}`, admin);
    deepEqual(await descriptions(`type:DatasetManagement AND datasetId:"${other}"`), [
      'created the dataset "Short-lived"',
      'granted read on a dataset for a group',
      'revoked read on a dataset for a group',
      'changed the dataset "Short-lived"',
      'deleted the dataset "Short-lived" and its records',
    ]);
  });

  test('an event about records counts those whose labels the requester satisfies, and is hidden if there are none', async () => {
    const [x, y] = [
      await made('/attributes', { name: 'X', token: 'X' }),
      await made('/attributes', { name: 'Y', token: 'Y' }),
    ];
    const reader = await addMember(server, workspace);
    await sendRequest(server, 'PATCH', `/users/${reader.id}`, { ...admin, body: { role: 'admin' } });
    await write([
      { label: 'X', n: 1 },
      { label: 'X', n: 2 },
      { label: 'X&Y', n: 3 },
      { label: 'Y', n: 4 },
    ]);
    const counts = async (): Promise<unknown[]> =>
      (await events(`type:WriteRecords AND datasetId:"${datasetId}"`, reader.token)).map(
        ({ details }) => details['recordCount'],
      );
    deepEqual(await counts(), []);
    await made('/attribute-assignments', { attributeId: x, userId: reader.id });
    deepEqual(await counts(), [2]);
    await made('/attribute-assignments', { attributeId: y, userId: reader.id });
    deepEqual(await counts(), [4]);
    await write([{ n: 5, label: 'HELD-BY-NOBODY' }]);
    deepEqual(await counts(), [4]);
    deepEqual(await events('details.recordCount:[0 TO *]', reader.token), []);
    // Reads have no counts, so that nobody learns what others found.
    await sendRequest(server, 'POST', '/query/lucene', {
      token: reader.token,
      body: { datasetId, expression: 'n:1' },
    });
    const [read] = await events(`type:DataDownload AND userId:"${reader.id}"`);
    deepEqual([read?.datasetId, read?.details['operation']], [datasetId, 'queryLucene']);
    ok(!JSON.stringify(read).includes('n:1'));
    const query = { expression: `SELECT n FROM "${datasetId}"` };
    await sendRequest(server, 'POST', '/query', { token: reader.token, body: query });
    equal(
      (await events(`type:DataDownload AND userId:"${reader.id}" AND details.operation:query`)).length,
      1,
    );
    await sendRequest(server, 'POST', `/storage/datasets/${datasetId}/deleteRecords`, {
      token: reader.token,
      body: { recordIds: [], deleteAll: true },
    });
    await server.jobsSettled();
    const about = await events(`type:WriteRecords`, reader.token);
    deepEqual(
      about.map(({ description, details }) => [description, details['recordCount']]),
      [
        ['deletes records', 4],
        ['writes records', 4],
      ],
    );
  });

  test('the audit log is returned in pages, with internal fields on request', async () => {
    const page = async (body: object, search = '') =>
      (
        await sendRequest<{
          total: number;
          limit: number;
          skip: number;
          data: (Event & Record<string, unknown>)[];
        }>(server, 'POST', `/audit-log/query${search}`, { token: admin.token, body })
      ).body;
    const all = await page({ expression: '%2A%3A%2A', limit: -1 });
    ok(all.total > 10 && all.data.length === all.total);
    const first = await page({ expression: '*:*' });
    deepEqual([first.limit, first.skip, first.data.length, first.total], [10, 0, 10, all.total]);
    const second = await page({ expression: '*:*', limit: 2, offset: 3, datasetId: null });
    deepEqual([second.limit, second.skip, second.data], [2, 3, all.data.slice(3, 5)]);
    const [internal] = (await page({ expression: '*:*', limit: 1 }, '?includeInternalFields=True')).data;
    deepEqual(
      [internal?.['_koverse_record_id'], internal?.['_koverse_timestamp']],
      [internal?.id, internal?.timestampMs],
    );
    equal(
      (await sendRequest(server, 'POST', '/audit-log/query', { ...admin, body: { expression: 'type:(' } }))
        .status,
      400,
    );
    const ofDataset = await page({ expression: 'type:DatasetManagement', datasetId, limit: -1 });
    ok(ofDataset.total > 0 && ofDataset.data.every((event) => event.datasetId === datasetId));
  });

  test('clearing and deleting a dataset are in the audit log, without counts', async () => {
    const id = await made('/datasets', { name: 'Container', workspaceId: workspace.id });
    const body = [{ n: 1 }, { n: 2 }];
    await sendRequest(server, 'POST', `/write/${id}?isAsync=false`, { ...admin, body });
    equal((await sendRequest(server, 'POST', `/storage/datasets/${id}/clear`, admin)).status, 202);
    await server.jobsSettled();
    await sendRequest(server, 'DELETE', `/datasets/${id}`, admin);
    const found = (await events(`type:DatasetManagement AND datasetId:"${id}"`)).toReversed();
    deepEqual(
      found.map(({ description, details }) => [description, details['recordCount']]),
      [
        ['created the dataset "Container"', undefined],
        ['started a job', undefined],
        ['clears a dataset, including records that are hidden from the actor', undefined],
        ['deleted the dataset "Container" and its records', undefined],
      ],
    );
  });

  test('starting, cancelling and retrying a job are one audit event each, without the configuration of the job', async () => {
    const id = await made('/datasets', { name: 'Worked on', workspaceId: workspace.id });
    const letGo = server.holdChanges();
    const jobId = await made(`/storage/datasets/${id}/deleteRecords/query`, { query: 'needle:7' });
    const patch = async (status: string): Promise<number> =>
      (await sendRequest(server, 'PATCH', `/jobs/${jobId}`, { ...admin, body: { status } })).status;
    deepEqual([await patch('canceled'), await patch('canceled')], [200, 200]);
    letGo();
    await server.jobsSettled();
    deepEqual([await patch('queued')], [200]);
    await server.jobsSettled();
    deepEqual([await patch('queued'), await patch('canceled')], [400, 400]);
    const found = (await events(`details.jobId:"${jobId}"`)).toReversed();
    deepEqual(
      found.map(({ type, description, userId, datasetId: about, details }) => [
        type,
        description,
        userId,
        about,
        details['job'],
      ]),
      ['started a job', 'canceled a job', 'retried a job'].map((description) => [
        'DatasetManagement',
        description,
        admin.id,
        id,
        'delete-record',
      ]),
    );
    ok(!JSON.stringify(found).includes('needle'));
    const created = await made('/jobs', { datasetId: id, type: 'reindex', config: {} });
    await server.jobsSettled();
    deepEqual(await descriptions(`details.jobId:"${created}"`), ['started a job']);
    equal((await sendRequest(server, 'DELETE', `/datasets/${id}`, admin)).status, 200);
  });

  test('adding, changing and removing identity providers of a workspace is in the audit log', async () => {
    const secret = 'a secret that nobody reads again';
    const config = {
      key: 'redoubt',
      secret,
      authorizeUrl: 'https://id.example.org/authorize',
      accessUrl: 'https://id.example.org/token',
      profileUrl: 'https://id.example.org/me',
    };
    const id = await made('/custom-identity-providers', { workspaceId: workspace.id, config });
    await sendRequest(server, 'PATCH', `/custom-identity-providers/${id}`, {
      ...admin,
      body: { config: { scope: 'openid' } },
    });
    await sendRequest(server, 'DELETE', `/custom-identity-providers/${id}`, admin);
    const found = await events('type:IdentityProviderManagement');
    deepEqual(
      found.map(({ description }) => description.split(' ')[0]),
      ['removed', 'changed', 'added'],
    );
    ok(!JSON.stringify(found).includes(secret));
  });

  test('no key, secret or token is in the audit log', async () => {
    const key = await sendRequest<{ key: string }>(server, 'POST', '/api-keys', {
      ...admin,
      body: { name: 'A key', workspaceId: workspace.id, groupNames: [], attributeNames: [] },
    });
    equal(key.status, 201, JSON.stringify(key.body));
    const app = await sendRequest<{ clientSecret: string; id: string }>(server, 'POST', '/applications', {
      ...admin,
      body: {
        name: 'An app',
        workspaceId: workspace.id,
        url: 'https://app.example.org',
        redirectUrl: 'https://app.example.org/back',
      },
    });
    equal(app.status, 201, JSON.stringify(app.body));
    const all = JSON.stringify(await events('*:*'));
    ok(all.includes('A key') && all.includes('An app'));
    for (const secret of [key.body.key, app.body.clientSecret, admin.token, admin.password]) {
      ok(!all.includes(secret.slice(8)), 'a secret stands in the audit log');
    }
  });

  test('expired events are deleted unless they are kept forever, and the rest can still be verified', async () => {
    const { data } = (
      await sendRequest<{ data: { id: string; datasetId: string | null }[] }>(
        server,
        'GET',
        '/audit-log-configs?$limit=-1',
        admin,
      )
    ).body;
    const own = data.find((config) => config.datasetId === datasetId)?.id ?? '';
    await sendRequest(server, 'PATCH', `/audit-log-configs/${own}`, {
      ...admin,
      body: { keepForever: false, ageInDays: 2 },
    });
    const before = (await events('*:*')).length;
    const about = (await events(`datasetId:"${datasetId}"`)).length;
    ok(about > 0);
    server.runtime.clock.advance(3 * 24 * 60 * 60 * 1000);
    await server.audit.retain();
    // Advances by a day only, the lifetime of a session.
    const signedIn = await sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', {
      body: { strategy: 'local', email: admin.email, password: admin.password, workspaceId: workspace.id },
    });
    const left = await events('*:*', signedIn.body.accessToken);
    equal(left.filter((event) => event.datasetId === datasetId).length, 0);
    ok(left.length >= before - about);
    for (const { problem } of await server.audit.verify()) equal(problem, undefined);
    const whole = data.find((config) => config.datasetId === null)?.id ?? '';
    await sendRequest(server, 'PATCH', `/audit-log-configs/${whole}`, {
      token: signedIn.body.accessToken,
      body: { keepForever: false, ageInDays: 1 },
    });
    await server.audit.retain();
    ok((await events('*:*', signedIn.body.accessToken)).length <= 4);
    for (const { problem } of await server.audit.verify()) equal(problem, undefined);
  });
});
