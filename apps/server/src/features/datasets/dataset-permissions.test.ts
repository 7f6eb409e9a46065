/* Shows: F-GET-/dataset-permissions-filters, D-manage-needs-patch, E-DatasetPermission-action,
   E-DatasetPermission-datasetId, E-DatasetPermission-groupId, X-BadRequestError-409, R-status-403,
   R-grant-to-groups, A-twice */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Dataset, DatasetPermission, Group } from '@redoubt/contract';
import {
  addMember,
  sendExpected,
  createWorkspace,
  type ExpectedCall,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const absentId = '00000000-0000-4000-8000-000000000000';

describe('dataset permissions', () => {
  let server: SharedServer;
  let workspace: TestWorkspace;
  let elsewhere: TestWorkspace;
  let admin: string;
  let owner: TestPerson;
  let count = 0;

  before(async () => {
    server = await sharedServer();
    workspace = await createWorkspace(server);
    elsewhere = await createWorkspace(server);
    admin = workspace.admin.token;
    owner = await addMember(server, workspace);
  });

  const call = <T>(...request: ExpectedCall): Promise<T> => sendExpected<T>(server, admin, ...request);
  const dataset = (token = owner.token, workspaceId = workspace.id): Promise<Dataset> =>
    call(201, 'POST', '/datasets', { token, body: { name: `Dataset ${++count}`, workspaceId } });
  const group = async (members: readonly TestPerson[] = [], token = admin): Promise<Group> => {
    const workspaceId = token === elsewhere.admin.token ? elsewhere.id : workspace.id;
    const made = await call<Group>(201, 'POST', '/groups', {
      token,
      body: { name: `Group ${++count}`, workspaceId },
    });
    for (const { id: userId } of members) {
      await call(201, 'POST', '/group-memberships', {
        token,
        body: { groupId: made.id, userId, role: 'member' },
      });
    }
    return made;
  };
  const grant = <T = DatasetPermission>(
    action: string,
    datasetId: string,
    groupId: string,
    token = admin,
    expected = 201,
  ): Promise<T> =>
    call(expected, 'POST', '/dataset-permissions', { token, body: { action, datasetId, groupId } });
  const seen = async (token: string, query = ''): Promise<string[]> => {
    const page = await call<{ data: DatasetPermission[] }>(
      200,
      'GET',
      `/dataset-permissions?$limit=-1${query}`,
      {
        token,
      },
    );
    return page.data.map(({ id }) => id).toSorted();
  };

  test('the creator of a dataset grants it to a group that is visible to them', async () => {
    const [made, own] = [await dataset(), await group([owner])];
    const granted = await grant('read', made.id, own.id, owner.token);
    assert.deepEqual(granted, { id: granted.id, action: 'read', datasetId: made.id, groupId: own.id });
    assert.deepEqual(
      await call(200, 'GET', `/dataset-permissions/${granted.id}`, { token: owner.token }),
      granted,
    );
  });

  test('a hidden group cannot get a grant', async () => {
    const [made, hidden] = [await dataset(), await group()];
    await grant('read', made.id, hidden.id, owner.token, 404);
    const own = await group([owner]);
    const granted = await grant('read', made.id, own.id, owner.token);
    await call(404, 'PATCH', `/dataset-permissions/${granted.id}`, {
      token: owner.token,
      body: { groupId: hidden.id },
    });
    assert.deepEqual(await call(200, 'GET', `/dataset-permissions/${granted.id}`), granted);
  });

  test('granting needs manage: without any permission it is 404, with a lower one 403', async () => {
    const person = await addMember(server, workspace);
    const [made, own] = [await dataset(), await group([person])];
    await grant('manage', made.id, own.id, person.token, 404);
    for (const action of ['read', 'write']) {
      const lesser = await grant(action, made.id, own.id);
      await grant('manage', made.id, own.id, person.token, 403);
      await call(403, 'PATCH', `/dataset-permissions/${lesser.id}`, {
        token: person.token,
        body: { action: 'manage' },
      });
      await call(403, 'DELETE', `/dataset-permissions/${lesser.id}`, { token: person.token });
    }
    await grant('manage', made.id, own.id);
    const further = await group([person]);
    await grant('read', made.id, further.id, person.token);
  });

  test('members of a group see its grants, and no grants of other groups on the same dataset', async () => {
    const person = await addMember(server, workspace);
    const [made, own, other] = [await dataset(), await group([person]), await group()];
    const mine = await grant('read', made.id, own.id);
    const theirs = await grant('write', made.id, other.id);
    assert.deepEqual(await seen(person.token), [mine.id]);
    assert.deepEqual(await seen(person.token, `&datasetId=${made.id}`), [mine.id]);
    assert.deepEqual(await seen(person.token, `&groupId=${other.id}`), []);
    await call(200, 'GET', `/dataset-permissions/${mine.id}`, { token: person.token });
    for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
      const body = method === 'PATCH' ? { body: { action: 'manage' } } : {};
      await call(404, method, `/dataset-permissions/${theirs.id}`, { token: person.token, ...body });
    }
    assert.deepEqual(await seen(owner.token, `&datasetId=${made.id}`), [mine.id, theirs.id].toSorted());
  });

  test('a duplicate grant is a conflict', async () => {
    const [made, own] = [await dataset(), await group()];
    await grant('read', made.id, own.id);
    const write = await grant('write', made.id, own.id);
    const { name, message } = await grant<{ name: string; message: string }>(
      'read',
      made.id,
      own.id,
      admin,
      409,
    );
    assert.equal(name, 'BadRequestError');
    assert.match(message, /"read"/);
    await call(409, 'PATCH', `/dataset-permissions/${write.id}`, { body: { action: 'read' } });
  });

  test('a PATCH changes action and group of a grant, never the dataset', async () => {
    const [made, other] = [await dataset(), await dataset()];
    const [from, to] = [await group(), await group()];
    const granted = await grant('read', made.id, from.id);
    const path = `/dataset-permissions/${granted.id}`;
    const changed = { ...granted, action: 'manage', groupId: to.id };
    assert.deepEqual(await call(200, 'PATCH', path, { body: changed }), changed);
    assert.deepEqual(await call(200, 'GET', path), changed);
    assert.deepEqual(await call(200, 'PATCH', path, { body: {} }), changed);
    await call(403, 'PATCH', path, { body: { datasetId: other.id } });
    await call(403, 'PATCH', path, { body: { id: absentId } });
    await call(400, 'PATCH', path, { body: { action: 'own' } });
    await call(400, 'PATCH', path, { body: { workspaceId: workspace.id } });
    assert.deepEqual(await call(200, 'GET', path), changed);
  });

  test('action, datasetId and groupId are required, and the action is one of three', async () => {
    const { errors } = await call<{ errors: { field: string }[] }>(400, 'POST', '/dataset-permissions', {
      body: {},
    });
    assert.deepEqual(errors.map(({ field }) => field).toSorted(), ['action', 'datasetId', 'groupId']);
    const [made, own] = [await dataset(), await group()];
    const { message } = await grant<{ message: string }>('READ', made.id, own.id, admin, 400);
    assert.match(message, /action must be one of "read", "write", "manage", got the string "READ"/);
  });

  test('datasets, groups and grants of another workspace do not exist', async () => {
    const [made, own] = [await dataset(), await group()];
    const { token } = elsewhere.admin;
    const [foreignSet, foreignGroup] = [await dataset(token, elsewhere.id), await group([], token)];
    await grant('read', foreignSet.id, own.id, admin, 404);
    await grant('read', made.id, foreignGroup.id, admin, 404);
    await grant('read', absentId, own.id, admin, 404);
    const granted = await grant('read', made.id, own.id);
    const path = `/dataset-permissions/${granted.id}`;
    await call(404, 'PATCH', path, { body: { groupId: foreignGroup.id } });
    for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
      const body = method === 'PATCH' ? { body: { action: 'manage' } } : {};
      await call(404, method, path, { token, ...body });
    }
    assert.deepEqual(await seen(token, `&datasetId=${made.id}`), []);
  });

  test('a revoked grant has no effect from the next request on', async () => {
    const person = await addMember(server, workspace);
    const [made, own] = [await dataset(), await group([person])];
    const granted = await grant('read', made.id, own.id);
    await call(200, 'GET', `/datasets/${made.id}`, { token: person.token });
    assert.deepEqual(await call(200, 'DELETE', `/dataset-permissions/${granted.id}`), granted);
    await call(404, 'GET', `/datasets/${made.id}`, { token: person.token });
    assert.deepEqual(await seen(person.token), []);
  });

  test('grants filter by every field', async () => {
    const [made, own] = [await dataset(), await group()];
    const read = await grant('read', made.id, own.id);
    const write = await grant('write', made.id, own.id);
    const both = [read.id, write.id].toSorted();
    assert.deepEqual(await seen(admin, `&datasetId=${made.id}`), both);
    assert.deepEqual(await seen(admin, `&groupId=${own.id}`), both);
    assert.deepEqual(await seen(admin, `&id=${read.id}`), [read.id]);
    assert.deepEqual(await seen(admin, `&groupId=${own.id}&action=write`), [write.id]);
    await call(400, 'GET', '/dataset-permissions?action=own');
  });

  test('deleting a group deletes its grants', async () => {
    const person = await addMember(server, workspace);
    const [made, own] = [await dataset(), await group([person])];
    await grant('read', made.id, own.id);
    await call(200, 'DELETE', `/groups/${own.id}`);
    assert.deepEqual(await seen(admin, `&datasetId=${made.id}`), []);
    await call(404, 'GET', `/datasets/${made.id}`, { token: person.token });
  });
});
