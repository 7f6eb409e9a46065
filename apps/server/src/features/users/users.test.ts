/* Shows: F-GET-/users-filters, F-GET-/users-password, F-POST-/users-email, F-POST-/users-workspaceId,
   F-POST-/users-role, F-PATCH-/users/{id}-id, F-PATCH-/users/{id}-email-refused,
   F-PATCH-/users/{id}-firstName, F-PATCH-/users/{id}-lastName, F-PATCH-/users/{id}-password,
   F-PATCH-/users/{id}-currentPassword, F-PATCH-/users/{id}-currentPassword-guesses,
   F-PATCH-/users/{id}-disabled, F-PATCH-/users/{id}-workspaceId, F-PATCH-/users/{id}-role,
   F-PATCH-/users/{id}-stripeLatestCharge, D-session-row, D-session-none, D-user-of-session, D-signup-plain,
   D-signup-workspace-403, D-users-by-admin, D-users-other-workspace, D-signup-open, D-signup-invited, D-join,
   D-no-patch-moves, D-patch-own-names, D-patch-own-password, D-patch-role, D-disable, D-remove,
   D-admin-no-password, D-admin-no-email, D-patch-refused, D-member-self, D-member-directory, D-no-self-role,
   D-creator-manages, D-list-fields, D-exception-taken, E-User-email, E-User-password, E-User-workspaceId,
   E-User-role, E-User-disabled, E-AuthResult-accessToken, R-status-delete, L17, L31-mass-assignment,
   L-hazard-password, R-list-total, R-list-sort-wrong, R-role-admin, V-userRole-member, V-userRole-admin,
   A-password-ends-sessions, A-last-admin */
import { sendRequest, addMember, createWorkspace, signIn, signUp } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import type { User } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.close());

interface UserPage {
  total: number;
  limit: number;
  skip: number;
  data: User[];
}

const post = (body: object, token?: string) =>
  sendRequest<User & { message: string }>(server, 'POST', '/users', {
    body,
    ...(token === undefined ? {} : { token }),
  });
const get = (token: string, id: string) => sendRequest<User>(server, 'GET', `/users/${id}`, { token });
const list = (token: string, query = '') => sendRequest<UserPage>(server, 'GET', `/users${query}`, { token });
const patch = (token: string, id: string, body: object) =>
  sendRequest<User & { message: string }>(server, 'PATCH', `/users/${id}`, { token, body });
const remove = (token: string, id: string) =>
  sendRequest<User & { message: string }>(server, 'DELETE', `/users/${id}`, { token });

let count = 0;
const person = () => ({
  email: `new${++count}@example.org`,
  firstName: 'New',
  lastName: 'Person',
  password: 'a good password',
});

describe('signing up', () => {
  test('a visitor gets an account without a workspace, and no response contains its password', async () => {
    const input = person();
    const { status, body } = await post({ ...input, email: input.email.toUpperCase() });
    assert.equal(status, 201);
    const { id, ...rest } = body;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      email: input.email,
      firstName: 'New',
      lastName: 'Person',
      workspaceId: null,
      role: null,
      disabled: null,
      stripeLatestCharge: null,
    });
    const token = await signIn(server, input);
    assert.deepEqual((await get(token, id)).body, body);
  });

  test('a visitor who sends a workspace or a role gets 403', async () => {
    const { id } = await createWorkspace(server);
    for (const extra of [
      { workspaceId: id },
      { workspaceId: 'absent' },
      { role: 'admin' },
      { role: 'member' },
    ]) {
      const { status, body } = await post({ ...person(), ...extra });
      assert.equal(status, 403, JSON.stringify(extra));
      assert.match(body.message, new RegExp(Object.keys(extra)[0]!));
    }
  });

  test('an address that is taken is 409 for a visitor, in any letter case and in a race', async () => {
    const input = person();
    const made = await Promise.all([post(input), post(input), post(input)]);
    assert.deepEqual(
      made.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409],
    );
    const { status, body } = await post({ ...input, email: input.email.toUpperCase() });
    assert.equal(status, 409);
    assert.match(body.message, new RegExp(input.email));
  });

  const errors: [field: string, value: unknown][] = [
    ['email', undefined],
    ['email', 'no address'],
    ['email', 'a@b@c'],
    ['email', { $ne: null }],
    ['firstName', undefined],
    ['firstName', ''],
    ['lastName', undefined],
    ['lastName', 'x'.repeat(201)],
    ['password', undefined],
    ['password', 'short'],
    ['password', 12_345_678],
    ['stripeLatestCharge', { status: 'succeeded' }],
    ['id', '00000000-0000-4000-8000-000000000000'],
    ['verified', true],
    ['disabled', false],
    ['userId', 'x'],
    ['subscription', null],
  ];
  for (const [field, value] of errors) {
    test(`a new user with ${field} ${JSON.stringify(value)} is rejected with 400 that names the field`, async () => {
      const { status, body } = await post({ ...person(), [field]: value });
      assert.equal(status, 400);
      assert.match(body.message, new RegExp(field));
    });
  }

  test('a string with NUL is rejected with 400', async () => {
    const { id, token } = await signUp(server);
    assert.equal((await post({ ...person(), firstName: 'a\u0000b' })).status, 400);
    assert.equal((await patch(token, id, { lastName: '\u0000' })).status, 400);
    assert.ok([400, 404].includes((await get(token, 'a%00b')).status));
  });

  test('if sign-up is for invited people only, a visitor gets 403', async () => {
    const own = await startServer({ signUp: 'invited' });
    try {
      const { status, body } = await sendRequest(own, 'POST', '/users', { body: person() });
      assert.equal(status, 403);
      assert.match(String(body.message), /SIGN_UP/);
    } finally {
      await own.close();
    }
  });
});

describe('adding people to a workspace', () => {
  test('an admin creates an account that is a member of the workspace', async () => {
    const workspace = await createWorkspace(server);
    const input = person();
    const { status, body } = await post(
      { ...input, workspaceId: workspace.id, role: 'admin' },
      workspace.admin.token,
    );
    assert.equal(status, 201);
    assert.equal(body.workspaceId, workspace.id);
    assert.equal(body.role, 'admin');
    assert.deepEqual((await get(workspace.admin.token, body.id)).body, body);
    const token = await signIn(server, input);
    assert.equal((await get(token, body.id)).body.workspaceId, workspace.id);
    const second = await post(person(), workspace.admin.token);
    assert.equal(second.body.workspaceId, workspace.id, 'absent: that of the session');
    assert.equal(second.body.role, 'member');
  });

  test('only an admin can add people, and only to the workspace of the session', async () => {
    const workspace = await createWorkspace(server);
    const other = await createWorkspace(server);
    const member = await addMember(server, workspace);
    const unbound = await signUp(server);
    const into = (workspaceId: string, token: string) => post({ ...person(), workspaceId }, token);
    assert.equal((await into(workspace.id, member.token)).status, 403);
    assert.equal((await post({ ...person(), role: 'admin' }, member.token)).status, 403);
    assert.equal((await into(workspace.id, unbound.token)).status, 403);
    const foreign = await into(other.id, workspace.admin.token);
    assert.equal(foreign.status, 404);
    const absent = await into('absent', workspace.admin.token);
    assert.equal(foreign.body.message.replaceAll(other.id, 'absent'), absent.body.message);
    assert.equal((await into(workspace.id, 'garbage')).status, 401);
    assert.equal((await list(workspace.admin.token)).body.total, 2);
    const wanted = person();
    assert.equal((await post({ ...wanted, workspaceId: other.id }, workspace.admin.token)).status, 404);
    assert.equal((await list(other.admin.token)).body.total, 1);
    assert.equal((await post(wanted)).status, 201, 'no account was made');
  });

  test('a role that does not exist is rejected', async () => {
    const { admin } = await createWorkspace(server);
    for (const role of ['owner', 'Admin', '', null, ['admin']]) {
      assert.equal((await post({ ...person(), role }, admin.token)).status, 400);
    }
  });
});

describe('seeing people', () => {
  test('an admin sees every field of the people in the workspace, and no other people', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    await createWorkspace(server);
    const { status, body } = await list(workspace.admin.token, '?$sort[role]=1');
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map(({ id, email, role, workspaceId, disabled, stripeLatestCharge }) => ({
        id,
        email,
        role,
        workspaceId,
        disabled,
        stripeLatestCharge,
      })),
      [workspace.admin, member].map(({ id, email }) => ({
        id,
        email,
        role: id === member.id ? 'member' : 'admin',
        workspaceId: workspace.id,
        disabled: false,
        stripeLatestCharge: null,
      })),
    );
    assert.deepEqual([body.total, body.limit, body.skip], [2, 10, 0]);
  });

  test('a member sees only ids and names of other people', async () => {
    const workspace = await createWorkspace(server);
    const { id, token, email } = await addMember(server, workspace);
    const { body } = await list(token);
    assert.equal(body.total, 2);
    const own = body.data.find((user) => user.id === id)!;
    assert.deepEqual([own.email, own.role, own.disabled], [email, 'member', false]);
    const other = body.data.find((user) => user.id !== id)!;
    const { firstName, ...rest } = other;
    assert.match(firstName, /^Admin/);
    const hidden = { email: null, role: null, disabled: null, stripeLatestCharge: null };
    assert.deepEqual(rest, {
      id: workspace.admin.id,
      lastName: 'Example',
      workspaceId: workspace.id,
      ...hidden,
    });
    assert.deepEqual((await get(token, workspace.admin.id)).body, other);
  });

  test('filtering and sorting disclose nothing hidden to a member', async () => {
    const workspace = await createWorkspace(server);
    const { admin } = workspace;
    const { id, email, token } = await addMember(server, workspace);
    const found = async (query: string) => {
      const { body } = await list(token, `?${query}`);
      return body.data.map((user) => user.id);
    };
    assert.deepEqual(await found(`email=${admin.email}`), []);
    assert.deepEqual(await found(`email[$in][]=${admin.email}`), []);
    assert.deepEqual(await found('email[$gt]=a'), [id]);
    assert.deepEqual(await found(`$or[0][email]=${admin.email}&$or[1][role]=admin`), []);
    assert.deepEqual(await found('role=admin'), []);
    assert.deepEqual(await found('email=null'), [admin.id]);
    assert.deepEqual(await found(`email=${email}`), [id]);
    const orderOf = async (direction: number) => {
      const { body } = await list(token, `?$sort[email]=${direction}`);
      return body.data.map((user) => user.email);
    };
    assert.deepEqual(await orderOf(1), [email, null]);
    assert.deepEqual(await orderOf(-1), [null, email]);
    for (const query of ['password=x', 'password_hash[$gt]=a', '$sort[password]=1', 'verified=true', 'x=1']) {
      assert.equal((await list(token, `?${query}`)).status, 400, query);
    }
  });

  test('the list of users can be paged, sorted and filtered by an admin', async () => {
    const workspace = await createWorkspace(server);
    const { token } = workspace.admin;
    const ids = [];
    for (const firstName of ['Cy', 'Bo', 'Al']) {
      ids.push((await post({ ...person(), firstName }, token)).body.id);
    }
    const names = async (query: string) => {
      const { body } = await list(token, `?${query}`);
      return [body.total, ...body.data.map(({ firstName }) => firstName)];
    };
    assert.deepEqual(await names('role=member&$sort[firstName]=1'), [3, 'Al', 'Bo', 'Cy']);
    assert.deepEqual(await names('role=member&$sort[firstName]=-1&$limit=1&$skip=1'), [3, 'Bo']);
    assert.deepEqual(await names('role=member&$sort[firstName]=1&$limit=-1'), [3, 'Al', 'Bo', 'Cy']);
    assert.deepEqual(await names(`id[$in][]=${ids[0]}&id[$in][]=${ids[2]}&$sort[firstName]=1`), [
      2,
      'Al',
      'Cy',
    ]);
    assert.deepEqual(await names('firstName[$lt]=Bo&role=member'), [1, 'Al']);
    assert.deepEqual(await names('$or[0][firstName]=Al&$or[1][firstName]=Cy&$sort[firstName]=1'), [
      2,
      'Al',
      'Cy',
    ]);
    assert.deepEqual(await names('disabled=true'), [0]);
    assert.deepEqual(await names(`workspaceId=${workspace.id}&lastName[$ne]=Example&$sort[firstName]=1`), [
      3,
      'Al',
      'Bo',
      'Cy',
    ]);
    assert.deepEqual(await names('workspaceId=other'), [0]);
  });

  test('people of other workspaces do not exist', async () => {
    const mine = await createWorkspace(server);
    const other = await createWorkspace(server);
    for (const attempt of [
      (id: string) => get(mine.admin.token, id),
      (id: string) => patch(mine.admin.token, id, { role: 'member' }),
      (id: string) => remove(mine.admin.token, id),
    ]) {
      const foreign = await attempt(other.admin.id);
      assert.equal(foreign.status, 404);
      const absent = await attempt('absent');
      assert.equal(
        JSON.stringify(foreign.body).replaceAll(other.admin.id, 'absent'),
        JSON.stringify(absent.body),
      );
    }
  });

  test('a session without a workspace sees only its own account', async () => {
    const ann = await signUp(server);
    const bob = await signUp(server);
    const { body } = await list(ann.token);
    assert.deepEqual(
      body.data.map(({ id }) => id),
      [ann.id],
    );
    assert.equal((await get(ann.token, bob.id)).status, 404);
    assert.equal((await sendRequest(server, 'GET', '/users')).status, 401);
  });
});

describe('changing oneself', () => {
  test('people change their own names', async () => {
    const workspace = await createWorkspace(server);
    const { id, token, email } = await addMember(server, workspace);
    const { status, body } = await patch(token, id, { firstName: 'Ann', id, email: email.toUpperCase() });
    assert.equal(status, 200);
    assert.deepEqual([body.firstName, body.lastName, body.email], ['Ann', 'Example', email]);
    assert.deepEqual((await get(token, id)).body, body);
    const unbound = await signUp(server);
    assert.equal((await patch(unbound.token, unbound.id, { lastName: 'Else' })).body.lastName, 'Else');
  });

  test('a new password needs the old one, and ends all other sessions', async () => {
    const { id, email, password, token } = await signUp(server);
    const other = await signIn(server, { email, password });
    const next = 'another good password';
    assert.equal((await patch(token, id, { password: next })).status, 400);
    assert.equal((await patch(token, id, { currentPassword: password })).status, 400);
    const wrong = await patch(token, id, {
      password: next,
      currentPassword: 'wrong password',
      firstName: 'Not',
    });
    assert.equal(wrong.status, 403);
    assert.ok(!wrong.body.message.includes('wrong password'), 'a password is never quoted');
    assert.equal((await patch(token, id, { password: 'short', currentPassword: password })).status, 400);
    const changed = await patch(token, id, { password: next, currentPassword: password });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.body.firstName, 'Not');
    assert.equal((await get(token, id)).status, 200);
    assert.equal((await get(other, id)).status, 401);
    const stale = await sendRequest(server, 'POST', '/authentication', {
      body: { strategy: 'local', email, password },
    });
    assert.equal(stale.status, 401);
    await signIn(server, { email, password: next });
  });

  test('wrong current passwords delay further attempts, as in signing in', async () => {
    const { id, token, email, password } = await signUp(server);
    const guess = (currentPassword: string) =>
      patch(token, id, { password: 'another good password', currentPassword });
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await guess(`wrong ${n}`)).status);
    assert.ok(statuses.includes(403) && statuses.at(-1) === 429, statuses.join());
    assert.equal((await guess(password)).status, 429, 'the right one waits, too');
    server.runtime.clock.advance(60 * 60 * 1000);
    assert.equal((await guess(password)).status, 200);
    await signIn(server, { email, password: 'another good password' });
  });

  test('an address changes only after confirmation at both addresses', async () => {
    const { id, token, email } = await signUp(server);
    const { status, body } = await patch(token, id, { email: 'elsewhere@example.org', firstName: 'Not' });
    assert.equal(status, 501);
    assert.match(body.message, /elsewhere@example.org/);
    const { body: after } = await get(token, id);
    assert.equal(after.email, email);
    assert.notEqual(after.firstName, 'Not');
  });

  test('nobody can change their own role, workspace, charge or id', async () => {
    const workspace = await createWorkspace(server);
    const other = await createWorkspace(server);
    const member = await addMember(server, workspace);
    const { body: before } = await get(member.token, member.id);
    const refused: [body: object, status: number][] = [
      [{ role: 'admin' }, 403],
      [{ disabled: true }, 403],
      [{ workspaceId: other.id }, 403],
      [{ workspaceId: workspace.id }, 403],
      [{ workspaceId: null }, 403],
      [{ stripeLatestCharge: null }, 403],
      [{ stripeLatestCharge: { id: 'x', status: 'succeeded' } }, 403],
      [{ id: other.admin.id }, 403],
      [{ userId: other.admin.id }, 400],
      [{ subscription: {} }, 400],
      [{ verified: true }, 400],
      [{ passwordHash: 'x' }, 400],
      [{ role: 'owner' }, 400],
    ];
    for (const [body, status] of refused) {
      const response = await patch(member.token, member.id, { firstName: 'Not', ...body });
      assert.equal(response.status, status, JSON.stringify(body));
      assert.match(response.body.message, new RegExp(Object.keys(body)[0]!));
    }
    assert.deepEqual((await get(member.token, member.id)).body, before);
    const unbound = await signUp(server);
    for (const body of [
      { role: 'admin' },
      { role: 'member' },
      { workspaceId: workspace.id },
      { disabled: false },
    ]) {
      assert.equal((await patch(unbound.token, unbound.id, body)).status, 403, JSON.stringify(body));
    }
  });
});

describe('changing others', () => {
  test('an admin changes the role of a member, with effect from the next request', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    assert.equal((await post(person(), member.token)).status, 403);
    const promoted = await patch(workspace.admin.token, member.id, { role: 'admin' });
    assert.equal(promoted.status, 200);
    assert.equal(promoted.body.role, 'admin');
    assert.equal((await post(person(), member.token)).status, 201);
    await patch(workspace.admin.token, member.id, { role: 'member' });
    assert.equal((await post(person(), member.token)).status, 403);
  });

  test('an admin cannot change the password, address or name of another person', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    for (const body of [
      { password: 'taken over now' },
      { password: 'taken over now', currentPassword: member.password },
      { email: 'taken@example.org' },
      { firstName: 'Other' },
      { lastName: 'Other' },
      { workspaceId: workspace.id },
      { stripeLatestCharge: null },
    ]) {
      const { status } = await patch(workspace.admin.token, member.id, { ...body, role: 'admin' });
      assert.equal(status, 403, JSON.stringify(body));
    }
    assert.equal((await get(workspace.admin.token, member.id)).body.role, 'member');
    await signIn(server, member);
  });

  test('a member cannot change or remove other people', async () => {
    const workspace = await createWorkspace(server);
    const [ann, bob] = [await addMember(server, workspace), await addMember(server, workspace)];
    for (const id of [bob.id, workspace.admin.id]) {
      for (const body of [{ role: 'member' }, { disabled: true }, { firstName: 'x' }, {}]) {
        assert.equal((await patch(ann.token, id, body)).status, 403, JSON.stringify(body));
      }
      assert.equal((await remove(ann.token, id)).status, 403);
    }
    assert.equal((await list(workspace.admin.token)).body.total, 3);
  });

  test('a disabled member loses access immediately, and an enabled one does not get the old session back', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    const elsewhere = await createWorkspace(server);
    const { body } = await patch(workspace.admin.token, member.id, { disabled: true });
    assert.equal(body.disabled, true);
    assert.equal((await get(member.token, member.id)).status, 401);
    const named = await sendRequest(server, 'POST', '/authentication', {
      body: { strategy: 'local', email: member.email, password: member.password, workspaceId: workspace.id },
    });
    const foreign = await sendRequest(server, 'POST', '/authentication', {
      body: { strategy: 'local', email: member.email, password: member.password, workspaceId: elsewhere.id },
    });
    assert.equal(named.status, 401);
    assert.equal(
      JSON.stringify(named.body).replaceAll(workspace.id, 'x'),
      JSON.stringify(foreign.body).replaceAll(elsewhere.id, 'x'),
    );
    const unbound = await signIn(server, member);
    assert.equal((await sendRequest(server, 'GET', '/workspaces', { token: unbound })).body.total, 0);
    assert.equal(
      (await sendRequest(server, 'GET', `/workspaces/${workspace.id}`, { token: unbound })).status,
      404,
    );

    await patch(workspace.admin.token, member.id, { disabled: false });
    assert.equal((await get(member.token, member.id)).status, 401, 'the old session stays dead');
    assert.equal((await get(await signIn(server, member), member.id)).body.role, 'member');
  });

  test('a workspace keeps at least one admin who is not disabled', async () => {
    const workspace = await createWorkspace(server);
    const { admin } = workspace;
    const second = await addMember(server, workspace, 'admin');
    await patch(admin.token, second.id, { disabled: true });
    const stuck = await patch(admin.token, admin.id, { role: 'member' });
    assert.equal(stuck.status, 409);
    assert.match(stuck.body.message, new RegExp(workspace.id));
    assert.equal((await remove(admin.token, admin.id)).status, 409);
    assert.equal((await get(admin.token, admin.id)).body.role, 'admin');
    await patch(admin.token, second.id, { disabled: false });
    const stepped = await patch(admin.token, admin.id, { role: 'member' });
    assert.equal(stepped.body.role, 'member');
    assert.equal((await patch(admin.token, admin.id, { role: 'admin' })).status, 403);
    assert.equal((await patch(await signIn(server, second), admin.id, { role: 'admin' })).status, 200);
  });

  test('of two admins who demote each other concurrently, one stays admin', async () => {
    const workspace = await createWorkspace(server);
    const { admin } = workspace;
    const second = await addMember(server, workspace, 'admin');
    for (let round = 0; round < 10; round++) {
      const responses = await Promise.all([
        patch(admin.token, second.id, { role: 'member' }),
        patch(second.token, admin.id, { role: 'member' }),
      ]);
      assert.ok(responses.some(({ status }) => status === 200));
      assert.ok(responses.every(({ status }) => [200, 403, 409].includes(status)));
      const seen = await Promise.all([admin, second].map(({ token, id }) => get(token, id)));
      const [left, ...more] = seen.filter(({ body }) => body.role === 'admin');
      assert.ok(left !== undefined && more.length === 0, 'one is left');
      const [winner, loser] = left.body.id === admin.id ? [admin, second] : [second, admin];
      assert.equal((await patch(winner.token, loser.id, { role: 'admin' })).status, 200);
    }
  });
});

describe('removing people', () => {
  test('a removed member loses their sessions immediately, and a new membership does not restore them', async () => {
    const workspace = await createWorkspace(server);
    const { admin } = workspace;
    const member = await addMember(server, workspace);
    const { body: before } = await get(admin.token, member.id);
    const { status, body } = await remove(admin.token, member.id);
    assert.equal(status, 200);
    assert.deepEqual(body, before);
    for (const path of ['/me', '/users', `/users/${member.id}`, '/workspaces']) {
      assert.equal((await sendRequest(server, 'GET', path, { token: member.token })).status, 401, path);
    }
    assert.equal((await get(admin.token, member.id)).status, 404);
    assert.equal((await remove(admin.token, member.id)).status, 404);

    const token = await signIn(server, member);
    assert.equal((await sendRequest(server, 'GET', '/me', { token })).body.workspaceId, null);
    const { body: invitation } = await sendRequest(server, 'POST', '/users', {
      token: admin.token,
      body: { ...person(), email: member.email },
    });
    await sendRequest(server, 'POST', '/invitations/accept', { token, body: { token: invitation.token } });
    assert.equal((await get(admin.token, member.id)).status, 200);
    assert.equal((await get(member.token, member.id)).status, 401, 'the old session stays dead');
  });

  test('a person who leaves a workspace keeps the account, and can delete it in a session without a workspace', async () => {
    const workspace = await createWorkspace(server);
    const member = await addMember(server, workspace);
    assert.equal((await remove(member.token, member.id)).status, 200);
    assert.equal((await get(member.token, member.id)).status, 401);
    const token = await signIn(server, member);
    const gone = await remove(token, member.id);
    assert.equal(gone.status, 200);
    assert.equal(gone.body.email, member.email);
    assert.equal((await get(token, member.id)).status, 401);
    const refused = await sendRequest(server, 'POST', '/authentication', {
      body: { strategy: 'local', email: member.email, password: member.password },
    });
    assert.equal(refused.status, 401);
    assert.equal((await post({ ...person(), email: member.email })).status, 201, 'the address is free again');
  });

  test('the last admin of a workspace cannot delete their account from an unbound session', async () => {
    const home = await createWorkspace(server);
    const away = await createWorkspace(server);
    const { body: invitation } = await sendRequest(server, 'POST', '/users', {
      token: away.admin.token,
      body: { ...person(), email: home.admin.email },
    });
    await sendRequest(server, 'POST', '/invitations/accept', {
      token: home.admin.token,
      body: { token: invitation.token },
    });
    const unbound = await signIn(server, home.admin);
    const { status, body } = await remove(unbound, home.admin.id);
    assert.equal(status, 409);
    assert.match(body.message, new RegExp(home.id));
    assert.equal((await list(away.admin.token)).body.total, 2);
  });
});
