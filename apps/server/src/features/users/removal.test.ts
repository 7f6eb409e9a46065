/* Shows: R-removal-datasets, R-removal-keys */
import { addMember, sendRequest, createWorkspace, signIn } from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

let server: SharedServer;
before(async () => {
  server = await sharedServer();
});

interface Made {
  id: string;
  key: string;
  userId: string;
  token: string;
}

const post = async (token: string, path: string, body: object): Promise<Made> => {
  const response = await sendRequest<Made>(server, 'POST', path, { token, body });
  assert.equal(response.status, 201, `${path}: ${JSON.stringify(response.body)}`);
  return response.body;
};
const totalOf = async (token: string, path: string): Promise<unknown> =>
  (await sendRequest(server, 'GET', path, { token })).body['total'];
const withKey = async (key: string) =>
  (await sendRequest(server, 'GET', '/datasets', { headers: { 'x-api-key': key } })).status;

/** Creates a member who has created and been given one object of each kind. */
const furnished = async () => {
  const workspace = await createWorkspace(server);
  const { admin } = workspace;
  const member = await addMember(server, workspace);
  const { id: attributeId } = await post(admin.token, '/attributes', { name: 'A', token: 'A' });
  await post(admin.token, '/attribute-assignments', { attributeId, userId: member.id });
  const group = await post(member.token, '/groups', { name: 'Theirs', workspaceId: workspace.id });
  const dataset = await post(member.token, '/datasets', { name: 'Theirs', workspaceId: workspace.id });
  const key = await post(member.token, '/api-keys', {
    name: 'Theirs',
    workspaceId: workspace.id,
    groupNames: ['Theirs'],
    attributeNames: ['A'],
  });
  assert.equal(await withKey(key.key), 200);
  return { workspace, admin, member, group, dataset, key };
};
type Furnished = Awaited<ReturnType<typeof furnished>>;

/** Checks what remains of a person's objects, however the person left. */
const isLeftBehind = async ({ admin, member, group, dataset, key }: Furnished): Promise<void> => {
  const { token } = admin;
  const kept = await sendRequest(server, 'GET', `/datasets/${dataset.id}`, { token });
  assert.deepEqual(
    [kept.status, kept.body['userId']],
    [200, member.id],
    'the dataset stays, with who made it',
  );
  assert.equal(
    (await sendRequest(server, 'GET', `/groups/${group.id}`, { token })).status,
    200,
    'the group stays',
  );
  assert.equal(await totalOf(token, `/group-memberships?groupId=${group.id}`), 0, 'nobody is in it');
  assert.equal(await totalOf(token, '/attribute-assignments'), 0, 'attributes are gone');
  assert.equal(await withKey(key.key), 401, 'the key is dead');
  assert.equal(await totalOf(token, '/api-keys'), 0, 'and no longer there');
  assert.equal(
    (await sendRequest(server, 'GET', '/me', { token: member.token })).status,
    401,
    'sessions have ended',
  );
};

describe('objects of removed people', () => {
  test('datasets and groups of a removed member stay in the workspace, and their keys, attributes and memberships are deleted', async () => {
    const all = await furnished();
    const { admin, member, workspace, key } = all;
    const removed = await sendRequest(server, 'DELETE', `/users/${member.id}`, { token: admin.token });
    assert.equal(removed.status, 200);
    await isLeftBehind(all);

    const invited = { email: member.email, firstName: 'N', lastName: 'U', password: 'not used at all' };
    const { token: invitation } = await post(admin.token, '/users', invited);
    const unbound = await signIn(server, member);
    await post(unbound, '/invitations/accept', { token: invitation });
    const again = await signIn(server, member, workspace.id);
    assert.equal(await withKey(key.key), 401, 'a new membership revives no key');
    assert.equal(await totalOf(again, '/attributes'), 0);
    assert.equal(await totalOf(again, '/groups'), 0);
    assert.equal(await totalOf(again, '/datasets'), 1, 'whoever made a dataset manages it, as a member');
  });

  test('datasets and groups of a person who leaves and deletes their account stay in the workspace', async () => {
    const all = await furnished();
    const { member } = all;
    const left = await sendRequest(server, 'DELETE', `/users/${member.id}`, { token: member.token });
    assert.equal(left.status, 200);
    await isLeftBehind(all);
    const token = await signIn(server, member);
    assert.equal((await sendRequest(server, 'DELETE', `/users/${member.id}`, { token })).status, 200);
    await isLeftBehind(all);
  });
});
