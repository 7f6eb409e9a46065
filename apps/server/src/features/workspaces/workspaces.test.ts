/* Shows: F-GET-/workspaces-filters, F-POST-/workspaces-session, F-POST-/workspaces-name,
   F-POST-/workspaces-id, F-POST-/workspaces-userId, F-POST-/workspaces-subscription, D-unverified, D-slug,
   D-uniqueId, D-creator-admin, D-member-self, D-tokens-off-call, D-exception-taken, E-Workspace-id,
   E-Workspace-uniqueId, E-Workspace-name, E-Workspace-userId, R-status-create, R-status-delete,
   L31-mass-assignment, R-bearer-workspaces, W-workspace-slug, W-workspaces-post, W-workspaces-get,
   W-workspaces-delete */
import {
  sendRequest,
  chooseOwnPassword,
  addMember,
  createWorkspace,
  signIn,
  signUp,
  type TestPerson,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';
import type { Workspace } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

let server: SharedServer;
/** A person without any objects. */
let refused: TestPerson;
before(async () => {
  server = await sharedServer();
  refused = await signUp(server);
});

const post = (token: string, body: object) =>
  sendRequest<Workspace>(server, 'POST', '/workspaces', { token, body });
const get = (token: string, id: string) =>
  sendRequest<Workspace>(server, 'GET', `/workspaces/${id}`, { token });

describe('creating a workspace', () => {
  test('the creator of a workspace is its admin, and an unbound session is bound to it', async () => {
    const { token, id: userId } = await signUp(server);
    const { status, body } = await post(token, { name: 'Acme Data', id: 'acme-data' });
    assert.equal(status, 201);
    const { uniqueId, ...rest } = body;
    assert.match(uniqueId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      id: 'acme-data',
      name: 'Acme Data',
      userId,
      subscription: null,
      createAttributesOnWrite: true,
    });
    assert.equal((await sendRequest(server, 'GET', '/me', { token })).body.workspaceId, 'acme-data');
    const { body: user } = await sendRequest(server, 'GET', `/users/${userId}`, { token });
    assert.equal(user.role, 'admin');
    assert.equal(user.workspaceId, 'acme-data');
  });

  test('without an id the slug is derived from the name, and a name without a slug needs an id', async () => {
    const { token } = await signUp(server);
    const none = await post(token, { name: '日本' });
    assert.equal(none.status, 400);
    assert.match((none.body as unknown as { message: string }).message, /日本/);
    assert.equal((await post(token, { name: 'Zürich & Söhne' })).body.id, 'zurich-sohne');
  });

  test('a slug that is taken is 409 for everyone', async () => {
    const { id } = await createWorkspace(server);
    const { token } = await signUp(server);
    const response = await post(token, { name: 'Mine', id });
    assert.equal(response.status, 409);
    assert.match(JSON.stringify(response.body), new RegExp(id));
    assert.equal((await post(token, { name: id })).status, 409);
  });

  for (const id of ['', '-a', 'a-', 'Acme', 'a b', 'a_b', 'a/b', 'é', 'a'.repeat(64), '..', 7]) {
    test(`the slug ${JSON.stringify(id)} is rejected`, async () => {
      assert.equal((await post(refused.token, { name: 'Name', id })).status, 400);
    });
  }

  test('nobody can create a workspace for another person, or with a subscription', async () => {
    const [ann, bob] = [await signUp(server), await signUp(server)];
    const foreign = await post(ann.token, { name: 'For Bob', userId: bob.id });
    assert.equal(foreign.status, 403);
    assert.match(JSON.stringify(foreign.body), new RegExp(bob.id));
    const paid = await post(ann.token, { name: 'Paid', subscription: { status: 'active' } });
    assert.equal(paid.status, 403);
    for (const extra of [{ uniqueId: ann.id }, { role: 'admin' }, { createdAt: '2020-01-01' }]) {
      assert.equal((await post(ann.token, { name: 'Extra', ...extra })).status, 400);
    }
    const own = await post(ann.token, { name: 'Own one', userId: ann.id, subscription: null });
    assert.equal(own.status, 201);
  });

  test('an account with an unverified address can create one workspace', async () => {
    const { admin } = await createWorkspace(server);
    const response = await post(admin.token, { name: 'Second' });
    assert.equal(response.status, 403);
    const several = await signUp(server);
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) => post(several.token, { name: `race ${index}` })),
    );
    assert.equal(made.filter(({ status }) => status === 201).length, 1);
    assert.equal(made.filter(({ status }) => status === 403).length, 9);
  });

  test('creating a workspace needs a credential and a name', async () => {
    assert.equal((await sendRequest(server, 'POST', '/workspaces', { body: { name: 'x' } })).status, 401);
    const { token } = await signUp(server);
    for (const body of [{}, { name: '' }, { name: '  ' }, { name: 'x'.repeat(201) }, { name: null }]) {
      assert.equal((await post(token, body)).status, 400);
    }
  });

  test('a person whose password an admin chose must choose their own before creating a workspace', async () => {
    const home = await createWorkspace(server);
    const added = await addMember(server, home);
    const body = { name: 'of their own', id: 'of-their-own' };
    const refused = await post(added.token, body);
    assert.equal(refused.status, 403);
    assert.match(JSON.stringify(refused.body), /Change it first/);
    const person = await chooseOwnPassword(server, added);
    assert.equal((await post(person.token, body)).status, 201);
  });
});

describe('seeing workspaces', () => {
  test('people see only the workspaces that they are members of', async () => {
    const mine = await createWorkspace(server);
    const other = await createWorkspace(server);
    const list = await sendRequest<{ total: number; data: Workspace[] }>(server, 'GET', '/workspaces', {
      token: mine.admin.token,
    });
    assert.equal(list.body.total, 1);
    assert.deepEqual(list.body.data, [(await get(mine.admin.token, mine.id)).body]);
    const foreign = await get(mine.admin.token, other.id);
    const absent = await get(mine.admin.token, 'absent');
    assert.equal(foreign.status, 404);
    assert.equal(JSON.stringify(foreign.body).replaceAll(other.id, 'absent'), JSON.stringify(absent.body));
    assert.equal((await get(mine.admin.token, mine.uniqueId)).status, 404, 'the slug alone is the id');
  });

  test('the list of workspaces can be paged, sorted and filtered', async () => {
    const home = await createWorkspace(server, 'home');
    const away = await createWorkspace(server, 'away');
    const person = await chooseOwnPassword(server, await addMember(server, home));
    const invited = await sendRequest<{ token: string }>(server, 'POST', '/users', {
      token: away.admin.token,
      body: { email: person.email, firstName: 'x', lastName: 'y', password: 'not used at all' },
    });
    await sendRequest(server, 'POST', '/invitations/accept', {
      token: person.token,
      body: { token: invited.body.token },
    });
    const list = async (query: string) => {
      const { status, body } = await sendRequest<{ total: number; data: Workspace[] }>(
        server,
        'GET',
        `/workspaces?${query}`,
        { token: person.token },
      );
      return status === 200 ? { total: body.total, ids: body.data.map(({ id }) => id) } : status;
    };
    assert.deepEqual(await list('$sort[id]=1'), { total: 2, ids: [away.id, home.id] });
    assert.deepEqual(await list('$sort[id]=-1&$limit=1&$skip=1'), { total: 2, ids: [away.id] });
    assert.deepEqual(await list(`id=${home.id}`), { total: 1, ids: [home.id] });
    assert.deepEqual(await list(`uniqueId[$ne]=${home.uniqueId}`), { total: 1, ids: [away.id] });
    assert.deepEqual(await list(`userId=${away.admin.id}`), { total: 1, ids: [away.id] });
    assert.deepEqual(await list(`name[$in][]=${home.id}&name[$in][]=x`), { total: 1, ids: [home.id] });
    assert.equal(await list('subscription=null'), 400);
    assert.equal(await list('$sort[created_by]=1'), 400);
    assert.equal(await list('workspaceId=x'), 400);
  });
});

describe('changing a workspace', () => {
  test('an admin renames a workspace, and nothing else changes', async () => {
    const { id, uniqueId, admin } = await createWorkspace(server);
    const patch = (body: object) =>
      sendRequest<Workspace>(server, 'PATCH', `/workspaces/${id}`, { token: admin.token, body });
    const { status, body } = await patch({ name: 'New name' });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id,
      uniqueId,
      name: 'New name',
      userId: admin.id,
      subscription: null,
      createAttributesOnWrite: true,
    });
    assert.deepEqual((await get(admin.token, id)).body, body);
    assert.deepEqual((await patch({ ...body, name: 'Newer name' })).body.name, 'Newer name');
    assert.equal((await patch({})).body.name, 'Newer name');
    for (const change of [
      { id: 'other' },
      { uniqueId: admin.id },
      { userId: uniqueId },
      { subscription: { status: 'active' } },
    ]) {
      assert.equal((await patch({ name: 'x', ...change })).status, 403, JSON.stringify(change));
    }
    assert.equal((await patch({ role: 'admin' })).status, 400);
    assert.equal((await patch({ name: ' ' })).status, 400);
    assert.equal((await get(admin.token, id)).body.name, 'Newer name');
  });

  test('an admin sets whether writes create attributes for new tokens', async () => {
    const { id, admin } = await createWorkspace(server);
    const call = async <T>(status: number, method: 'GET' | 'PATCH' | 'POST', path: string, body?: object) => {
      const options = body === undefined ? {} : { body };
      const response = await sendRequest<T>(server, method, path, { token: admin.token, ...options });
      assert.equal(response.status, status, JSON.stringify(response.body));
      return response.body;
    };
    const set = (createAttributesOnWrite: unknown, status = 200) =>
      call<Workspace>(status, 'PATCH', `/workspaces/${id}`, { createAttributesOnWrite });
    const { id: datasetId } = await call<{ id: string }>(201, 'POST', '/datasets', {
      name: 'Any',
      workspaceId: id,
    });
    const write = (status: number, label: string) =>
      call<{ message: string }>(status, 'POST', `/v2/write/${datasetId}?isAsync=false`, {
        records: [{ label }],
        securityLabelInfo: {
          fields: ['label'],
          parserClassName: 'identity-parser',
          labelHandlingPolicy: 'ignore',
        },
      });

    await write(200, 'KNOWN');
    assert.equal((await set(false)).createAttributesOnWrite, false);
    assert.equal((await get(admin.token, id)).body.createAttributesOnWrite, false);
    await write(200, 'KNOWN');
    assert.match((await write(400, 'KNOWN&UNHEARD-OF')).message, /"UNHEARD-OF"/);
    assert.equal((await call<{ total: number }>(200, 'GET', '/attributes?token=UNHEARD-OF')).total, 0);
    assert.equal((await set(true)).createAttributesOnWrite, true);
    await write(200, 'KNOWN&UNHEARD-OF');
    await set('no', 400);
  });

  test('a member cannot rename or delete the workspace, and it does not exist for other people', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    const stranger = await createWorkspace(server);
    const path = `/workspaces/${workspace.id}`;
    for (const [method, body] of [['PATCH', { name: 'x' }] as const, ['DELETE', undefined] as const]) {
      const attempt = (token: string) =>
        sendRequest(server, method, path, { token, ...(body === undefined ? {} : { body }) });
      assert.equal((await attempt(member.token)).status, 403);
      assert.equal((await attempt(stranger.admin.token)).status, 404);
      assert.equal((await sendRequest(server, method, path, {})).status, 401);
    }
    assert.equal((await get(member.token, workspace.id)).body.name, workspace.id);
  });

  test('changing a workspace needs a session that is bound to it, even for its admin', async () => {
    const home = await createWorkspace(server);
    const away = await createWorkspace(server);
    const invited = await sendRequest<{ token: string }>(server, 'POST', '/users', {
      token: away.admin.token,
      body: {
        email: home.admin.email,
        firstName: 'x',
        lastName: 'y',
        password: 'not used at all',
        role: 'admin',
      },
    });
    await sendRequest(server, 'POST', '/invitations/accept', {
      token: home.admin.token,
      body: { token: invited.body.token },
    });
    const rename = (token: string) =>
      sendRequest(server, 'PATCH', `/workspaces/${away.id}`, { token, body: { name: 'Renamed' } });
    assert.equal((await rename(home.admin.token)).status, 403);
    assert.equal((await rename(await signIn(server, home.admin))).status, 403, 'an unbound session');
    assert.equal((await rename(await signIn(server, home.admin, away.id))).status, 200);
  });
});

describe('deleting a workspace', () => {
  test('deleting a workspace returns it, ends its sessions and retires its slug', async () => {
    const workspace = await createWorkspace(server);
    const { admin, id } = workspace;
    const member = await addMember(server, workspace);
    const { body: before } = await get(admin.token, id);
    const { status, body } = await sendRequest(server, 'DELETE', `/workspaces/${id}`, { token: admin.token });
    assert.equal(status, 200);
    assert.deepEqual(body, before);
    assert.equal((await get(admin.token, id)).status, 401);
    assert.equal((await get(member.token, id)).status, 401);

    const token = await signIn(server, admin);
    assert.equal((await sendRequest(server, 'GET', '/workspaces', { token })).body.total, 0);
    const again = await post(token, { name: 'Again', id });
    assert.equal(again.status, 409);
    const elsewhere = await createWorkspace(server);
    const taken = await post(token, { name: 'Again', id: elsewhere.id });
    assert.equal(
      JSON.stringify(again.body).replaceAll(id, 'slug'),
      JSON.stringify(taken.body).replaceAll(elsewhere.id, 'slug'),
      'a retired slug is refused in the words of a taken one',
    );
    assert.equal((await post(token, { name: 'Another one' })).status, 201);
  });
});
