/* Shows: F-GET-/invitations-filters, F-POST-/invitations/accept-wrong, F-POST-/invitations/accept-session,
   E-Invitation-id, E-Invitation-email, E-Invitation-workspaceId, E-Invitation-role, E-Invitation-createdBy,
   E-Invitation-createdAt, E-Invitation-expiresAt, E-Invitation-acceptedAt, E-Invitation-token,
   E-Invitation-link, K-invitation-life, D-account-global, D-users-existing, D-join, D-list-fields,
   E-User-id */
import {
  sendRequest,
  chooseOwnPassword,
  addMember,
  createWorkspace,
  signIn,
  signUp,
  type TestWorkspace,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import type { Invitation, IssuedInvitation, OpenInvitation } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.close());

const invite = (token: string, email: string, extra: object = {}, at: { url: string } = server) =>
  sendRequest<IssuedInvitation & { token: string }>(at, 'POST', '/users', {
    token,
    body: { email, firstName: 'Not', lastName: 'Used', password: 'not used at all', ...extra },
  });
const accept = (token: string, invitation: string, at: { url: string } = server) =>
  sendRequest<Invitation>(at, 'POST', '/invitations/accept', { token, body: { token: invitation } });
const list = (token: string, query = '') =>
  sendRequest<{ total: number; data: Invitation[] }>(server, 'GET', `/invitations${query}`, { token });
const countOf = async ({ admin }: TestWorkspace) =>
  (await sendRequest(server, 'GET', '/users', { token: admin.token })).body.total;

const create = (token: string, email: string, extra: object = {}, at: { url: string } = server) =>
  sendRequest<IssuedInvitation & { token: string }>(at, 'POST', '/invitations', {
    token,
    body: { email, ...extra },
  });
const look = (invitation: string, at: { url: string } = server) =>
  sendRequest<OpenInvitation>(at, 'POST', '/invitations/look', { body: { token: invitation } });
const join = (invitation: string, at: { url: string } = server) =>
  sendRequest<Invitation>(at, 'POST', '/invitations/join', {
    body: { token: invitation, firstName: 'Ben', lastName: 'Bay', password: 'a password of Ben' },
  });

describe('inviting any address', () => {
  test('an address without an account joins with names and a password of its own', async () => {
    const workspace = await createWorkspace(server);
    const { status, body } = await create(workspace.admin.token, 'Ben@Any.Example');
    assert.equal(status, 201);
    assert.equal(body.email, 'ben@any.example');
    assert.equal(body.role, 'member');
    const seen = (await look(body.token)).body;
    assert.deepEqual(
      { ...seen, expiresAt: '', invitedBy: '', workspaceName: '' },
      {
        email: 'ben@any.example',
        role: 'member',
        workspaceName: '',
        invitedBy: '',
        expiresAt: '',
        hasAccount: false,
      },
    );
    assert.equal((await list(workspace.admin.token)).body.data[0]?.email, 'ben@any.example');
    const joined = await join(body.token);
    assert.equal(joined.status, 201);
    assert.notEqual(joined.body.acceptedAt, null);
    const ben = await signIn(server, { email: 'ben@any.example', password: 'a password of Ben' });
    const me = (await sendRequest(server, 'GET', '/me', { token: ben })).body;
    assert.equal(me.workspaceId, workspace.id);
    assert.equal(await countOf(workspace), 2);
    assert.equal((await join(body.token)).status, 404);
    assert.equal((await look(body.token)).status, 404);
  });

  test('the response does not depend on whether the address has an account', async () => {
    const workspace = await createWorkspace(server);
    const guest = await signUp(server, 'known');
    const known = (await create(workspace.admin.token, guest.email)).body;
    const unknown = (await create(workspace.admin.token, 'unknown@any.example')).body;
    assert.deepEqual(Object.keys(known), Object.keys(unknown));
    assert.equal((await look(known.token)).body.hasAccount, true);
    assert.equal((await join(known.token)).status, 409);
    assert.equal((await accept(guest.token, known.token)).status, 201);
  });

  test('an address that gets an account before it accepts signs in and accepts', async () => {
    const workspace = await createWorkspace(server);
    const email = 'early@any.example';
    const { token } = (await create(workspace.admin.token, email)).body;
    const signedUp = await sendRequest(server, 'POST', '/users', {
      body: { email, firstName: 'E', lastName: 'A', password: 'password of early' },
    });
    assert.equal(signedUp.status, 201);
    assert.equal((await join(token)).status, 409);
    const other = await signUp(server, 'other');
    assert.equal((await accept(other.token, token)).status, 404);
    const early = await signIn(server, { email, password: 'password of early' });
    assert.equal((await accept(early, token)).status, 201);
  });

  test('a token that is wrong or withdrawn is the same 404 for looking and joining', async () => {
    const workspace = await createWorkspace(server);
    const { token, id } = (await create(workspace.admin.token, 'gone@any.example')).body;
    await sendRequest(server, 'DELETE', `/invitations/${id}`, { token: workspace.admin.token });
    for (const send of [look, join]) {
      const gone = await send(token);
      assert.equal(gone.status, 404);
      assert.deepEqual(gone.body, (await send('wrong')).body);
    }
  });

  test('a new invitation of an address replaces the open one', async () => {
    const workspace = await createWorkspace(server);
    const first = (await create(workspace.admin.token, 'twice@any.example', { role: 'admin' })).body;
    const second = (await create(workspace.admin.token, 'Twice@any.example')).body;
    assert.equal((await list(workspace.admin.token)).body.total, 1);
    assert.equal((await join(first.token)).status, 404);
    assert.equal((await join(second.token)).body.role, 'member');
  });

  test('members invite nobody, and a member is not invited again', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    assert.equal((await create(member.token, 'any@any.example')).status, 403);
    assert.equal((await create(workspace.admin.token, member.email)).status, 409);
  });

  test('two concurrent requests that join by one invitation create one account', async () => {
    const workspace = await createWorkspace(server);
    const { token } = (await create(workspace.admin.token, 'racer@any.example')).body;
    const responses = await Promise.all(Array.from({ length: 6 }, () => join(token)));
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
    assert.ok(responses.every(({ status }) => [201, 404, 409].includes(status)));
    assert.equal(await countOf(workspace), 2);
  });

  test('without mail the password counts as chosen in the workspace, whose inviter had the token', async () => {
    const [home, away] = [await createWorkspace(server), await createWorkspace(server)];
    const { token } = (await create(home.admin.token, 'moved@any.example')).body;
    await join(token);
    const moved = await signIn(server, { email: 'moved@any.example', password: 'a password of Ben' });
    const second = (await create(away.admin.token, 'moved@any.example')).body;
    assert.equal((await accept(moved, second.token)).status, 403);
  });
});

describe('inviting', () => {
  test('an address with an account is invited, and nothing else changes', async () => {
    const workspace = await createWorkspace(server);
    const guest = await signUp(server, 'guest');
    const { status, body } = await invite(workspace.admin.token, guest.email.toUpperCase(), {
      role: 'admin',
    });
    assert.equal(status, 201);
    const { token, link, createdAt, expiresAt, ...rest } = body;
    assert.ok(token.length >= 43, 'the token holds 256 bits');
    assert.equal(link, `${server.url}/app/invite#${token}`);
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 7 * 24 * 60 * 60 * 1000);
    assert.deepEqual(rest, {
      id: rest.id,
      email: guest.email,
      workspaceId: workspace.id,
      role: 'admin',
      createdBy: workspace.admin.id,
      acceptedAt: null,
    });
    assert.equal(await countOf(workspace), 1);
    const { body: account } = await sendRequest(server, 'GET', `/users/${guest.id}`, { token: guest.token });
    assert.notEqual(account.firstName, 'Not');
    await signIn(server, guest);
    assert.ok(!JSON.stringify(body).includes(guest.id), 'nothing is told about the account');
  });

  test('a password that was chosen by another person cannot be used to join another workspace', async () => {
    const [home, away] = [await createWorkspace(server), await createWorkspace(server)];
    const added = await addMember(server, home);
    const { token } = (await invite(away.admin.token, added.email)).body;
    const refused = await accept(added.token, token);
    assert.equal(refused.status, 403);
    assert.equal(await countOf(away), 1);
    const own = await chooseOwnPassword(server, added);
    assert.equal((await accept(own.token, token)).status, 201);
    const withTheirs = await sendRequest(server, 'POST', '/authentication', {
      body: { strategy: 'local', email: own.email, password: added.password, workspaceId: away.id },
    });
    assert.equal(withTheirs.status, 401);
  });

  test('the invited person joins with the token, and their unbound session is bound to the workspace', async () => {
    const workspace = await createWorkspace(server);
    const guest = await signUp(server, 'guest');
    const { body: invitation } = await invite(workspace.admin.token, guest.email);
    const { status, body } = await accept(guest.token, invitation.token);
    assert.equal(status, 201);
    assert.equal(body.workspaceId, workspace.id);
    assert.notEqual(body.acceptedAt, null);
    assert.ok(!('token' in body));
    const { body: me } = await sendRequest(server, 'GET', '/me', { token: guest.token });
    assert.equal(me.workspaceId, workspace.id);
    const { body: user } = await sendRequest(server, 'GET', `/users/${guest.id}`, { token: guest.token });
    assert.equal(user.role, 'member');
  });

  test('accepting an invitation leaves a session bound to its other workspace', async () => {
    const home = await createWorkspace(server);
    const away = await createWorkspace(server);
    const { body: invitation } = await invite(away.admin.token, home.admin.email);
    assert.equal((await accept(home.admin.token, invitation.token)).status, 201);
    const { body: me } = await sendRequest(server, 'GET', '/me', { token: home.admin.token });
    assert.equal(me.workspaceId, home.id);
  });

  test('an invitation token that is wrong, used or for another person gets the same 404', async () => {
    const workspace = await createWorkspace(server);
    const guest = await signUp(server, 'guest');
    const thief = await signUp(server, 'thief');
    const { body: invitation } = await invite(workspace.admin.token, guest.email);
    const stolen = await accept(thief.token, invitation.token);
    assert.equal(stolen.status, 404);
    assert.deepEqual((await accept(thief.token, 'wrong')).body, stolen.body);
    assert.equal((await accept(guest.token, invitation.token)).status, 201);
    assert.deepEqual((await accept(guest.token, invitation.token)).body, stolen.body);
    assert.ok(!JSON.stringify(stolen.body).includes(invitation.token));
    const without = await sendRequest(server, 'POST', '/invitations/accept', {
      body: { token: invitation.token },
    });
    assert.equal(without.status, 401);
    assert.equal(await countOf(workspace), 2);
  });

  test('two concurrent requests that accept an invitation create one membership', async () => {
    const workspace = await createWorkspace(server);
    const guest = await signUp(server, 'guest');
    const { body: invitation } = await invite(workspace.admin.token, guest.email);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => accept(guest.token, invitation.token)),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
    assert.equal(responses.filter(({ status }) => status === 404).length, 9);
    assert.equal(await countOf(workspace), 2);
  });

  test('a member of the workspace cannot be invited to it', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    const { status, body } = await invite(workspace.admin.token, member.email);
    assert.equal(status, 409);
    assert.match(JSON.stringify(body), new RegExp(member.email));
  });

  test('a new invitation replaces an open one', async () => {
    const workspace = await createWorkspace(server);
    const guest = await signUp(server, 'guest');
    const { body: first } = await invite(workspace.admin.token, guest.email, { role: 'admin' });
    const { body: second } = await invite(workspace.admin.token, guest.email);
    assert.equal((await list(workspace.admin.token)).body.total, 1);
    assert.equal((await accept(guest.token, first.token)).status, 404);
    assert.equal((await accept(guest.token, second.token)).body.role, 'member');
  });

  test('an invitation expires after 7 days', async () => {
    const own = await startServer();
    try {
      const { admin } = await createWorkspace(own);
      const guest = await signUp(own, 'guest');
      const { body: invitation } = await invite(admin.token, guest.email, {}, own);
      own.runtime.clock.advance(7 * 24 * 60 * 60 * 1000);
      const token = await signIn(own, guest);
      assert.equal((await accept(token, invitation.token, own)).status, 404);
    } finally {
      await own.close();
    }
  });

  test('the invitations of an admin become void when the admin is removed, disabled or demoted', async () => {
    for (const end of [
      (admin: string, id: string) => sendRequest(server, 'DELETE', `/users/${id}`, { token: admin }),
      (admin: string, id: string) =>
        sendRequest(server, 'PATCH', `/users/${id}`, { token: admin, body: { disabled: true } }),
      (admin: string, id: string) =>
        sendRequest(server, 'PATCH', `/users/${id}`, { token: admin, body: { role: 'member' } }),
    ]) {
      const workspace = await createWorkspace(server);
      const second = await addMember(server, workspace, 'admin');
      const guest = await signUp(server, 'guest');
      const { body: invitation } = await invite(second.token, guest.email, { role: 'admin' });
      assert.equal((await end(workspace.admin.token, second.id)).status, 200);
      assert.equal((await accept(guest.token, invitation.token)).status, 404);
      assert.equal((await list(workspace.admin.token)).body.total, 0);
    }
  });
});

describe('the invitations of a workspace', () => {
  test('admins list the invitations of their workspace without tokens, and withdraw them', async () => {
    const workspace = await createWorkspace(server);
    const other = await createWorkspace(server);
    const [ann, bob] = [await signUp(server, 'guest'), await signUp(server, 'guest')];
    const { body: first } = await invite(workspace.admin.token, ann.email);
    const { body: second } = await invite(workspace.admin.token, bob.email, { role: 'admin' });
    await invite(other.admin.token, ann.email);
    await accept(ann.token, first.token);

    const { body } = await list(workspace.admin.token, '?$sort[createdAt]=-1');
    assert.deepEqual(
      body.data.map(({ email }) => email),
      [bob.email, ann.email],
    );
    assert.ok(!JSON.stringify(body).includes(second.token));
    assert.ok(!('token' in body.data[0]!));
    const found = async (query: string) =>
      (await list(workspace.admin.token, `?${query}`)).body.data.map(({ id }) => id);
    assert.deepEqual(await found('acceptedAt=null'), [second.id]);
    assert.deepEqual(await found('role=member'), [first.id]);
    assert.deepEqual(await found(`createdAt[$gt]=${first.createdAt}`), [second.id]);
    assert.deepEqual(await found(`email=${bob.email}&workspaceId=${workspace.id}`), [second.id]);
    for (const query of ['token=x', 'token_hash[$gt]=a', '$sort[tokenHash]=1']) {
      assert.equal((await list(workspace.admin.token, `?${query}`)).status, 400, query);
    }

    const takeBack = (token: string, id: string) =>
      sendRequest(server, 'DELETE', `/invitations/${id}`, { token });
    assert.equal((await takeBack(other.admin.token, second.id)).status, 404);
    const { status, body: taken } = await takeBack(workspace.admin.token, second.id);
    assert.equal(status, 200);
    const { token: _token, link: _link, ...shown } = second;
    assert.deepEqual(taken, shown);
    assert.equal((await takeBack(workspace.admin.token, second.id)).status, 404);
    assert.equal((await accept(bob.token, second.token)).status, 404);
  });

  test('members and people without a workspace can neither see nor withdraw invitations', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    const guest = await signUp(server, 'guest');
    const { body: invitation } = await invite(workspace.admin.token, guest.email);
    for (const token of [member.token, guest.token]) {
      assert.equal((await list(token)).status, 403);
      const { status } = await sendRequest(server, 'DELETE', `/invitations/${invitation.id}`, { token });
      assert.equal(status, 403);
    }
    assert.equal((await invite(member.token, guest.email)).status, 403);
  });
});
