/* Shows: F-GET-/audit-log-configs-slash, F-GET-/audit-log-configs-workspaceId,
   F-GET-/audit-log-configs-keepForever, K-audit-example-page, D-audit-readers, D-audit-config-rows,
   A-audit-refusals, E-AuditLogConfiguration-id, E-AuditLogConfiguration-keepForever,
   E-AuditLogConfiguration-ageInDays, E-AuditLogConfiguration-workspaceId, E-AuditLogConfiguration-datasetId,
   E-AuditLogEvent-id, E-AuditLogEvent-type, E-AuditLogEvent-userId, E-AuditLogEvent-timestampMs,
   E-AuditLogEvent-description, E-AuditLogEvent-sourceIP, E-AuditLogEvent-datasetId, E-AuditLogEvent-actor,
   E-AuditLogEvent-details, L-hazard-audit-spelling, V-auditEventType-AuditLogConfigManagement,
   W-audit-config */
import { addMember, sendRequest, createWorkspace, type TestWorkspace } from '@redoubt/testkit';
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
interface Config {
  id: string;
  keepForever: boolean;
  ageInDays: number;
  workspaceId: string;
  datasetId: string | null;
}
interface Page<T> {
  total: number;
  limit: number;
  skip: number;
  data: T[];
}

describe('the audit log', () => {
  let server: TestServer;
  let workspace: TestWorkspace;
  before(async () => {
    server = await startServer();
    workspace = await createWorkspace(server);
  });
  after(() => server.close());

  const events = async (token: string, expression: string, more: object = {}): Promise<Page<Event>> => {
    const response = await sendRequest<Page<Event>>(server, 'POST', '/audit-log/query', {
      token,
      body: { expression, limit: -1, ...more },
    });
    equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const dataset = async (token: string, name: string): Promise<string> =>
    (
      await sendRequest<{ id: string }>(server, 'POST', '/datasets', {
        token,
        body: { name, workspaceId: workspace.id },
      })
    ).body.id;

  test('each new workspace and dataset has an audit log configuration that keeps events forever', async () => {
    const id = await dataset(workspace.admin.token, 'Configured');
    const { body } = await sendRequest<Page<Config>>(
      server,
      'GET',
      '/audit-log-configs?$limit=-1',
      workspace.admin,
    );
    const own = body.data.filter(({ datasetId }) => datasetId === null || datasetId === id);
    equal(own.length, 2);
    for (const { keepForever, workspaceId } of own)
      deepEqual([keepForever, workspaceId], [true, workspace.id]);
    const one = await sendRequest<Page<Config>>(
      server,
      'GET',
      `/audit-log-configs/?$limit=1&keepForever=true&workspaceId=${workspace.id}`,
      workspace.admin,
    );
    deepEqual([one.status, one.body.limit, one.body.data.length], [200, 1, 1]);
    const none = await sendRequest<Page<Config>>(
      server,
      'GET',
      '/audit-log-configs?keepForever=false',
      workspace.admin,
    );
    equal(none.body.total, 0);
    await sendRequest(server, 'DELETE', `/datasets/${id}`, workspace.admin);
    const later = await sendRequest<Page<Config>>(
      server,
      'GET',
      '/audit-log-configs?$limit=-1',
      workspace.admin,
    );
    ok(!later.body.data.some(({ datasetId }) => datasetId === id));
  });

  test('only admins and holders of manage-audit-log change how long audit events are kept, and the change is audited', async () => {
    const id = await dataset(workspace.admin.token, 'Kept for a while');
    const path = `/audit-log-configs/${id}`;
    const body = { keepForever: false, ageInDays: 30 };
    const changed = await sendRequest<Config>(server, 'PATCH', path, { ...workspace.admin, body });
    deepEqual(changed.body, {
      id,
      keepForever: false,
      ageInDays: 30,
      workspaceId: workspace.id,
      datasetId: id,
    });
    const member = await addMember(server, workspace);
    equal((await sendRequest(server, 'PATCH', path, { ...member, body })).status, 403);
    equal((await sendRequest(server, 'GET', '/audit-log-configs', member)).status, 403);
    equal(
      (await sendRequest(server, 'PATCH', '/audit-log-configs/none', { ...workspace.admin, body })).status,
      404,
    );
    equal(
      (await sendRequest(server, 'PATCH', path, { ...workspace.admin, body: { ageInDays: 0 } })).status,
      400,
    );
    equal(
      (await sendRequest(server, 'PATCH', path, { ...workspace.admin, body: { workspaceId: 'x' } })).status,
      403,
    );
    const other = await createWorkspace(server);
    equal((await sendRequest(server, 'PATCH', path, { ...other.admin, body })).status, 404);
    const { data } = await events(
      workspace.admin.token,
      'type:AuditLogConfigManagement AND NOT details.outcome:refused',
    );
    deepEqual(
      data.map(({ datasetId, userId, details }) => [datasetId, userId, details['ageInDays']]),
      [[id, workspace.admin.id, 30]],
    );
  });

  test('rejected actions are in the audit log, with the actor and their address', async () => {
    const member = await addMember(server, workspace);
    await sendRequest(server, 'GET', '/audit-log-configs', member);
    const { data, total } = await events(
      workspace.admin.token,
      `details.outcome:refused AND userId:"${member.id}"`,
    );
    equal(total, 1);
    const { timestampMs, id, description, details, ...rest } = data[0] as Event;
    ok(timestampMs > 0 && id.length === 36 && description.startsWith('was refused: '));
    equal(details['operation'], 'listAuditLogConfigs');
    equal(typeof details['requestId'], 'string');
    deepEqual(rest, {
      type: 'AuditLogConfigManagement',
      userId: member.id,
      sourceIP: '127.0.0.1',
      datasetId: null,
      actor: member.email,
    });
    const own = await events(member.token, '*:*');
    ok(own.data.every(({ userId }) => userId === member.id) && own.total > 0);
    const foreign = await createWorkspace(server);
    equal((await events(foreign.admin.token, `userId:"${member.id}"`)).total, 0);
  });

  test('L25: the audit log shows attribute tokens only to attribute managers, not to other holders of manage-audit-log', async () => {
    const { token } = workspace.admin;
    const holder = await addMember(server, workspace);
    const give = async (code: string) => {
      const { body } = await sendRequest<Page<{ id: string; code: string }>>(
        server,
        'GET',
        `/workspace-permissions?code=${code}`,
        { token },
      );
      const given = await sendRequest(server, 'POST', '/workspace-permissions-assignments', {
        token,
        body: {
          workspacePermissionsId: body.data[0]?.id,
          userId: holder.id,
          workspaceId: workspace.id,
          workspacePermissionsCode: code,
        },
      });
      equal(given.status, 201, JSON.stringify(given.body));
    };
    await give('manage-audit-log');
    const made = await sendRequest(server, 'POST', '/attributes', {
      token,
      body: { name: 'Project', token: 'PROJECT_ORION', workspaceId: workspace.id },
    });
    equal(made.status, 201);
    equal((await events(token, 'type:AttributeManagement AND ORION')).total, 1);
    for (const expression of ['*:*', 'ORION', 'PROJECT*', 'details.token:PROJECT_ORION', 'NOT type:Login']) {
      const { data, total } = await events(holder.token, expression);
      equal(total, data.length);
      ok(!JSON.stringify(data).includes('ORION'), expression);
    }
    equal((await events(holder.token, 'PROJECT*')).total, 0);
    await give('manage-attributes');
    equal((await events(holder.token, 'type:AttributeManagement AND ORION')).total, 1);
  });
});
