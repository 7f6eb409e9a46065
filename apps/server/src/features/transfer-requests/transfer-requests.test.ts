/* Shows: E-TransferResourceRequest-createdAt, E-TransferResourceRequest-endedAt, A-transfer-again,
   K-transfer-status, E-TransferResourceRequest-id, E-TransferResourceRequest-resourceId,
   E-TransferResourceRequest-resourceType, E-TransferResourceRequest-recipientUserId,
   E-TransferResourceRequest-status, E-TransferResourceRequest-userId, V-transferStatus-accepted,
   V-transferStatus-declined, V-transferStatus-pending, V-transferStatus-revoked */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import type { Dataset, TransferResourceRequest } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  createWorkspace,
  type SendOptions,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const path = '/transfer-resource-requests';

describe('transfer requests', () => {
  let server: SharedServer;
  let workspace: TestWorkspace;
  let admin: TestPerson;
  let owner: TestPerson;
  let heir: TestPerson;
  let bystander: TestPerson;
  let datasetId: string;

  before(async () => {
    server = await sharedServer();
    workspace = await createWorkspace(server);
    ({ admin } = workspace);
    bystander = await addMember(server, workspace);
  });
  beforeEach(async () => {
    owner = await addMember(server, workspace);
    heir = await addMember(server, workspace);
    datasetId = await dataset(owner);
  });

  const call = async <T = { id: string; message: string }>(
    expected: number,
    { token }: TestPerson,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    target: string,
    body?: SendOptions['body'],
  ): Promise<T> => {
    const response = await sendRequest<T>(server, method, target, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    assert.equal(response.status, expected, `${method} ${target}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const dataset = async (by: TestPerson): Promise<string> =>
    (await call(201, by, 'POST', '/datasets', { name: 'Any', workspaceId: workspace.id })).id;
  const wanted = (recipient: TestPerson = heir) => ({
    resourceId: datasetId,
    resourceType: 'dataset',
    recipientUserId: recipient.id,
  });
  const request = (by: TestPerson = owner, to: TestPerson = heir): Promise<TransferResourceRequest> =>
    call(201, by, 'POST', path, wanted(to));
  const set = <T = { status: string; message: string }>(
    expected: number,
    by: TestPerson,
    { id }: { id: string },
    status: string,
  ): Promise<T> => call(expected, by, 'PATCH', `${path}/${id}`, { status });
  const rightsOf = async (person: TestPerson): Promise<unknown> =>
    (await call<Dataset>(200, person, 'GET', `/datasets/${datasetId}`)).currentUserPermissions;
  const everything = { read: true, write: true, manage: true };

  test('a new request is pending, changes nothing, and is visible to requester, recipient and dataset managers', async () => {
    const made = await request();
    assert.deepEqual(made, {
      id: made.id,
      ...wanted(),
      status: 'pending',
      userId: owner.id,
      createdAt: made.createdAt,
      endedAt: null,
    });
    await call(404, heir, 'GET', `/datasets/${datasetId}`);
    for (const person of [owner, heir, admin]) {
      assert.deepEqual(await call(200, person, 'GET', `${path}/${made.id}`), made);
      const { data } = await call<{ data: unknown }>(200, person, 'GET', `${path}?resourceId=${datasetId}`);
      assert.deepEqual(data, [made]);
    }
    await call(404, bystander, 'GET', `${path}/${made.id}`);
    await call(404, bystander, 'PATCH', `${path}/${made.id}`, { status: 'accepted' });
    assert.equal((await call<{ total: number }>(200, bystander, 'GET', path)).total, 0);
    const elsewhere = await createWorkspace(server);
    await call(404, elsewhere.admin, 'GET', `${path}/${made.id}`);
  });

  test('accepting a request transfers the ownership of the dataset with all its permissions', async () => {
    const made = await request();
    const accepted = await set<TransferResourceRequest>(200, heir, made, 'accepted');
    assert.equal(accepted.status, 'accepted');
    assert.notEqual(accepted.endedAt, null);
    assert.equal((await call<Dataset>(200, heir, 'GET', `/datasets/${datasetId}`)).userId, heir.id);
    assert.deepEqual(await rightsOf(heir), everything);
    await call(404, owner, 'GET', `/datasets/${datasetId}`);
    await call(200, heir, 'DELETE', `/datasets/${datasetId}`);
  });

  test('only the recipient can decline, and only the requester can revoke', async () => {
    const first = await request();
    for (const status of ['accepted', 'declined']) {
      await set(403, owner, first, status);
      await set(403, admin, first, status);
    }
    await set(403, heir, first, 'revoked');
    assert.equal((await set(200, heir, first, 'declined')).status, 'declined');
    const second = await request();
    assert.equal((await set(200, owner, second, 'revoked')).status, 'revoked');
    await call(404, heir, 'GET', `/datasets/${datasetId}`);
    assert.deepEqual(await rightsOf(owner), everything);
  });

  test('the owner and dataset managers can revoke requests of others, who may be gone', async () => {
    const second = await addMember(server, workspace, 'admin');
    for (const person of [owner, admin]) {
      const made = await request(second);
      assert.equal((await set(200, person, made, 'revoked')).status, 'revoked');
    }
    await request();
  });

  test('a transfer request that has ended cannot be changed', async () => {
    for (const [by, end] of [
      ['heir', 'declined'],
      ['owner', 'revoked'],
      ['heir', 'accepted'],
    ] as const) {
      const made = await request();
      await set(200, by === 'heir' ? heir : owner, made, end);
      for (const status of ['accepted', 'declined']) await set(409, heir, made, status);
      await set(409, owner, made, 'revoked');
      assert.match((await set(400, owner, made, 'pending')).message, /pending/);
      assert.match((await set(400, owner, made, 'stolen')).message, /stolen/);
    }
  });

  test('of two concurrent changes of a transfer request, only one takes effect', async () => {
    const made = await request();
    const responses = await Promise.all(
      [heir, owner, heir].map(({ token }, index) =>
        sendRequest<{ status: string }>(server, 'PATCH', `${path}/${made.id}`, {
          token,
          body: { status: ['accepted', 'revoked', 'declined'][index] },
        }),
      ),
    );
    assert.deepEqual(responses.map(({ status }) => String(status)).toSorted(), ['200', '409', '409']);
    const won = responses.find(({ status }) => status === 200);
    const { status } = await call<TransferResourceRequest>(200, admin, 'GET', `${path}/${made.id}`);
    assert.equal(status, won?.body.status);
    const { userId } = await call<Dataset>(200, admin, 'GET', `/datasets/${datasetId}`);
    assert.equal(userId, status === 'accepted' ? heir.id : owner.id);
  });

  test('a dataset has at most one pending request', async () => {
    const made = await request();
    await call(409, owner, 'POST', path, wanted(bystander));
    await call(409, admin, 'POST', path, wanted(bystander));
    await set(200, owner, made, 'revoked');
    await request(owner, bystander);
  });

  test('only the owner and dataset managers create requests, for another member who does not own the dataset', async () => {
    await call(404, bystander, 'POST', path, wanted());
    const group = await call(201, admin, 'POST', '/groups', { name: datasetId, workspaceId: workspace.id });
    await call(201, admin, 'POST', '/group-memberships', {
      groupId: group.id,
      userId: bystander.id,
      role: 'member',
    });
    const grant = { action: 'manage', datasetId, groupId: group.id };
    await call(201, admin, 'POST', '/dataset-permissions', grant);
    await call(403, bystander, 'POST', path, wanted());
    await call(403, owner, 'POST', path, wanted(owner));
    await call(403, admin, 'POST', path, wanted(admin));
    await call(400, admin, 'POST', path, wanted(owner));
    const elsewhere = await createWorkspace(server);
    await call(404, owner, 'POST', path, wanted(elsewhere.admin));
    await call(404, elsewhere.admin, 'POST', path, wanted());
    await call(403, owner, 'POST', path, { ...wanted(), userId: heir.id });
    await call(400, owner, 'POST', path, { ...wanted(), status: 'accepted' });
    await call(400, owner, 'POST', path, { ...wanted(), resourceType: 'group' });
    await request(admin);
  });

  test('a request can be accepted only if its creator may still transfer the dataset', async () => {
    const second = await addMember(server, workspace, 'admin');
    const made = await request(second);
    await call(200, admin, 'PATCH', `/users/${second.id}`, { role: 'member' });
    assert.match((await set(409, heir, made, 'accepted')).message, /may no longer transfer/);
    await set(200, heir, made, 'declined');
    const own = await request();
    await call(200, admin, 'PATCH', `/users/${owner.id}`, { disabled: true });
    await set(409, heir, own, 'accepted');
    await call(404, heir, 'GET', `/datasets/${datasetId}`);
  });

  test('a transfer request does not disclose whether a person is disabled', async () => {
    await call(200, admin, 'PATCH', `/users/${heir.id}`, { disabled: true });
    const made = await request();
    await call(401, heir, 'PATCH', `${path}/${made.id}`, { status: 'accepted' });
    assert.equal((await set(200, owner, made, 'revoked')).status, 'revoked');
  });

  test('a recipient who has left cannot accept, and neither can a deleted dataset be transferred', async () => {
    const made = await request();
    await call(200, admin, 'DELETE', `/users/${heir.id}`);
    await call(401, heir, 'PATCH', `${path}/${made.id}`, { status: 'accepted' });
    await set(200, owner, made, 'revoked');
    const other = await addMember(server, workspace);
    const again = await request(owner, other);
    await call(200, owner, 'DELETE', `/datasets/${datasetId}`);
    assert.match((await set(409, other, again, 'accepted')).message, /no longer exists/);
  });
});
