/* Shows: F-PATCH-/applications/{id}-resetSecret, E-Application-id, E-Application-name, E-Application-url,
   E-Application-redirectUrl, E-Application-workspaceId, E-Application-clientId, E-Application-clientSecret,
   E-Application-visible, E-Application-description, E-Application-type, E-Application-allowedUsers,
   E-Application-requiredDatasetAccess, E-Application-requiredDatasetAccess-datasetId, R-required-application,
   V-applicationType-sls */
import type { Application } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  createWorkspace,
  type TestResponse,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { before, describe, test } from 'node:test';

interface ErrorBody {
  name: string;
  message: string;
  code: number;
  errors?: { field: string }[];
}

const withoutSecret = (application: Application): Omit<Application, 'clientSecret'> => {
  const rest = { ...application };
  delete rest.clientSecret;
  return rest;
};
const required = (datasetId: string) => ({
  requiredDatasetAccess: [{ action: 'read' as const, datasetId }],
});

describe('applications', () => {
  let server: SharedServer;
  let workspace: TestWorkspace;
  let elsewhere: TestWorkspace;
  let admin: TestPerson;
  let manager: TestPerson;
  let member: TestPerson;
  let outsider: TestPerson;

  const send = async <T = Application>(
    { token }: { token: string },
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<TestResponse<T>> =>
    sendRequest<T>(server, method, path, { token, ...(body === undefined ? {} : { body }) });
  const bodyWith = (more: object = {}) => ({
    name: 'Atlas',
    url: 'https://atlas.example.org',
    redirectUrl: 'https://atlas.example.org/back',
    workspaceId: workspace.id,
    ...more,
  });
  const make = async (more: object = {}, by: TestPerson = admin): Promise<Application> => {
    const response = await send(by, 'POST', '/applications', bodyWith(more));
    equal(response.status, 201, JSON.stringify(response.body));
    return response.body;
  };
  const makeDataset = async (by: TestPerson): Promise<string> => {
    const body = { name: 'Any', workspaceId: workspace.id };
    return (await send<{ id: string }>(by, 'POST', '/datasets', body)).body.id;
  };
  const listedFor = async (person: TestPerson, query = ''): Promise<Application[]> =>
    (await send<{ data: Application[] }>(person, 'GET', `/applications?$limit=-1${query}`)).body.data;

  before(async () => {
    server = await sharedServer();
    workspace = await createWorkspace(server);
    elsewhere = await createWorkspace(server);
    ({ admin } = workspace);
    manager = await addMember(server, workspace, 'member', 'manager');
    member = await addMember(server, workspace);
    outsider = await addMember(server, workspace, 'member', 'outsider');
    const assignment = {
      userId: manager.id,
      workspaceId: workspace.id,
      workspacePermissionsId: 'manage-applications',
      workspacePermissionsCode: 'manage-applications',
    };
    const given = await send(admin, 'POST', '/workspace-permissions-assignments', assignment);
    equal(given.status, 201, JSON.stringify(given.body));
  });

  test('a new application has the most restrictive defaults, and shows its secret once', async () => {
    const made = await make();
    const { id, clientId, clientSecret, ...rest } = made;
    deepEqual(rest, {
      ...bodyWith(),
      visible: false,
      description: '',
      type: 'sls',
      allowedUsers: [],
      requiredDatasetAccess: [],
    });
    match(clientSecret ?? '', /^[0-9a-f]{64}$/);
    notEqual(clientId, id);
    deepEqual((await send(admin, 'GET', `/applications/${id}`)).body, withoutSecret(made));
    const listed = await listedFor(admin, `&id=${id}`);
    deepEqual(listed, [withoutSecret(made)]);
    const patched = await send(admin, 'PATCH', `/applications/${id}`, { description: 'Maps' });
    deepEqual(patched.body, { ...withoutSecret(made), description: 'Maps' });
  });

  test('every property of an application can be set when it is created, and changed later', async () => {
    const datasetId = await makeDataset(admin);
    const all = {
      visible: true,
      description: 'Draws maps.',
      type: 'mls' as const,
      allowedUsers: [member.id],
      requiredDatasetAccess: [{ action: 'read' as const, datasetId }],
    };
    const made = await make(all);
    deepEqual(withoutSecret(made), { ...bodyWith(all), id: made.id, clientId: made.clientId });
    const change = {
      name: 'Globe',
      url: 'http://globe.example.org/',
      redirectUrl: 'http://127.0.0.1:8080/back?x=1',
      visible: false,
      description: 'Draws globes.',
      type: 'sls' as const,
      allowedUsers: [outsider.id, admin.id].toSorted(),
      requiredDatasetAccess: [{ action: 'manage' as const, datasetId }],
    };
    const { status, body } = await send(admin, 'PATCH', `/applications/${made.id}`, {
      ...withoutSecret(made),
      ...change,
    });
    equal(status, 200, JSON.stringify(body));
    deepEqual(body, { ...withoutSecret(made), ...change });
    deepEqual((await send(admin, 'GET', `/applications/${made.id}`)).body, body);
    deepEqual((await send(admin, 'DELETE', `/applications/${made.id}`)).body, body);
    equal((await send(admin, 'GET', `/applications/${made.id}`)).status, 404);
  });

  test('a missing required property of an application is rejected by name', async () => {
    for (const field of ['name', 'url', 'redirectUrl', 'workspaceId']) {
      const { status, body } = await send<ErrorBody>(
        admin,
        'POST',
        '/applications',
        bodyWith({ [field]: undefined }),
      );
      equal(status, 400);
      deepEqual(
        body.errors?.map((problem) => problem.field),
        [field],
      );
    }
  });

  test('redirect URLs must be https or on the local machine', async () => {
    const refused = [
      'http://atlas.example.org/back',
      'http://localhost.example.org/back',
      'https://atlas.example.org/back#there',
      'https://me:secret@atlas.example.org/back',
      'https://',
      'https://atlas.example.org/a b',
      'javascript:alert(1)',
      'com.example.app:/back',
      'https://ätlas.example.org',
    ];
    for (const redirectUrl of refused) {
      const { status, body } = await send<ErrorBody>(
        admin,
        'POST',
        '/applications',
        bodyWith({ redirectUrl }),
      );
      equal(status, 400, redirectUrl);
      ok(body.message.includes('redirectUrl'), body.message);
    }
    for (const redirectUrl of ['http://localhost:1/', 'http://[::1]:9/x', 'https://a.example.org/?a=b']) {
      equal((await make({ redirectUrl })).redirectUrl, redirectUrl);
    }
  });

  test('resetSecret returns a new client secret, once', async () => {
    const { id, clientSecret, clientId } = await make();
    const reset = await send(admin, 'PATCH', `/applications/${id}`, { resetSecret: true });
    match(reset.body.clientSecret ?? '', /^[0-9a-f]{64}$/);
    notEqual(reset.body.clientSecret, clientSecret);
    equal(reset.body.clientId, clientId);
    const again = await send(admin, 'PATCH', `/applications/${id}`, { resetSecret: false });
    equal(again.body.clientSecret, undefined);
  });

  test('id, workspace and clientId of an application cannot be changed', async () => {
    const { id } = await make();
    for (const change of [{ id: 'other' }, { workspaceId: elsewhere.id }, { clientId: 'mine' }]) {
      equal((await send(admin, 'PATCH', `/applications/${id}`, change)).status, 403);
    }
    for (const change of [{ clientSecret: 'mine' }, { createdBy: member.id }]) {
      equal((await send(admin, 'PATCH', `/applications/${id}`, change)).status, 400);
    }
  });

  test('members see only the visible applications that they may use', async () => {
    const mine = await makeDataset(member);
    const hidden = await makeDataset(admin);
    const allowedUsers = [member.id, outsider.id].toSorted();
    const open = await make({ name: 'Open', visible: true, allowedUsers });
    const reachable = await make({
      name: 'Reachable',
      visible: true,
      allowedUsers,
      requiredDatasetAccess: [{ action: 'manage', datasetId: mine }],
    });
    const out = {
      visible: true,
      allowedUsers,
      requiredDatasetAccess: [{ action: 'read', datasetId: hidden }],
    };
    const unseen = [
      await make({ name: 'Invisible', allowedUsers }),
      await make({ name: 'For others', visible: true, allowedUsers: [outsider.id] }),
      await make({ name: 'Out of reach', ...out }),
    ];
    const asSeen = (application: Application) => ({
      ...withoutSecret(application),
      allowedUsers: [member.id],
    });
    const listed = await listedFor(member, '&$sort[name]=1&name[$in][]=Open&name[$in][]=Reachable');
    deepEqual(listed, [asSeen(open), asSeen(reachable)]);
    deepEqual((await send(member, 'GET', `/applications/${open.id}`)).body, asSeen(open));
    for (const { id, name, clientId } of unseen) {
      equal((await send(member, 'GET', `/applications/${id}`)).status, 404, name);
      deepEqual(await listedFor(member, `&clientId=${clientId}`), []);
    }
    await send(admin, 'PATCH', `/applications/${open.id}`, { allowedUsers: [outsider.id] });
    equal((await send(member, 'GET', `/applications/${open.id}`)).status, 404);
  });

  test('allowed users and required datasets must be visible to the actor', async () => {
    const hidden = await makeDataset(admin);
    for (const more of [
      { allowedUsers: [elsewhere.admin.id] },
      required(hidden),
      required('no-such-dataset'),
    ]) {
      equal((await send(manager, 'POST', '/applications', bodyWith(more))).status, 404);
    }
    const { id } = await make();
    equal((await send(manager, 'PATCH', `/applications/${id}`, required(hidden))).status, 404);
  });

  test('an actor to whom a required dataset is hidden neither sees nor removes the requirement', async () => {
    const hidden = await makeDataset(admin);
    const own = await makeDataset(manager);
    const bound = [{ action: 'read' as const, datasetId: hidden }];
    const { id } = await make({ requiredDatasetAccess: bound });
    deepEqual((await send(manager, 'GET', `/applications/${id}`)).body.requiredDatasetAccess, []);
    const more = [{ action: 'write' as const, datasetId: own }];
    await send(manager, 'PATCH', `/applications/${id}`, { requiredDatasetAccess: more });
    const { requiredDatasetAccess } = (await send(admin, 'GET', `/applications/${id}`)).body;
    deepEqual(new Set(requiredDatasetAccess), new Set([...bound, ...more]));
  });

  test('an application keeps its requirement of a deleted dataset', async () => {
    const datasetId = await makeDataset(admin);
    const bound = [{ action: 'read' as const, datasetId }];
    const made = await make({ visible: true, allowedUsers: [admin.id], requiredDatasetAccess: bound });
    equal((await send(admin, 'DELETE', `/datasets/${datasetId}`)).status, 200);
    const { status } = await send(admin, 'PATCH', `/applications/${made.id}`, {
      requiredDatasetAccess: bound,
    });
    equal(status, 200);
    deepEqual(
      (await send(admin, 'PATCH', `/applications/${made.id}`, { requiredDatasetAccess: [] })).body
        .requiredDatasetAccess,
      [],
    );
  });

  test('a person removed from the workspace is no longer an allowed user of its applications', async () => {
    const leaver = await addMember(server, workspace, 'member', 'leaver');
    const { id } = await make({ allowedUsers: [leaver.id, member.id] });
    equal((await send(admin, 'DELETE', `/users/${leaver.id}`)).status, 200);
    deepEqual((await send(admin, 'GET', `/applications/${id}`)).body.allowedUsers, [member.id]);
  });
});
