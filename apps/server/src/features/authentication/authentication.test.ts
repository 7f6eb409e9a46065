/* Shows: F-POST-/authentication-local, F-POST-/authentication-jwt, F-POST-/authentication-workspaceId,
   F-POST-/authentication-wrong, F-POST-/authentication-unknown-strategy, F-POST-/authentication-stray,
   F-DELETE-/authentication/{id}-token, F-DELETE-/authentication/{id}-null,
   F-DELETE-/authentication/{id}-other, K-token-life, D-account-global, D-session-row, D-session-named,
   D-session-only, D-session-none, D-workspaceCount, D-signup-plain, E-AuthResult-accessToken,
   E-AuthResult-authentication, E-AuthResult-authentication-accessToken, E-AuthResult-authentication-payload,
   E-AuthResult-authentication-payload-email, E-AuthResult-authentication-payload-exp,
   E-AuthResult-authentication-payload-iat, E-AuthResult-authentication-payload-iss,
   E-AuthResult-authentication-payload-jti, E-AuthResult-authentication-payload-sub,
   E-AuthResult-authentication-strategy, E-AuthResult-user, E-AuthResult-user-avatar,
   E-AuthResult-user-changeEmailTokenExpiration, E-AuthResult-user-createdAt, E-AuthResult-user-deletedAt,
   E-AuthResult-user-displayName, E-AuthResult-user-email, E-AuthResult-user-firstName,
   E-AuthResult-user-githubId, E-AuthResult-user-googleId, E-AuthResult-user-id, E-AuthResult-user-lastName,
   E-AuthResult-user-linkedAccounts, E-AuthResult-user-microsoftId, E-AuthResult-user-oktaId,
   E-AuthResult-user-stripeCustomerId, E-AuthResult-user-updatedAt, E-AuthResult-user-verified,
   E-AuthResult-user-workspaceCount, X-NotImplementedError, R-status-create, R-status-delete,
   L-hazard-token-in-path, R-auth-local-fields, R-auth-proxy-fields, R-auth-sso-fields, R-auth-key-fields,
   V-strategy-local, V-strategy-jwt, W-bearer-bare, W-auth-201, W-auth-local, W-auth-jwt, W-token-claims,
   W-me-user, W-me-jwt, A-signout, A-token-tampered */
import { sendRequest, chooseOwnPassword, addMember, createWorkspace, signIn, signUp } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import type { AuthenticationResult, Me } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.close());

const authenticate = (body: object, query = '') =>
  sendRequest<AuthenticationResult>(server, 'POST', `/authentication${query}`, { body });
const me = (token: string) => sendRequest<Me>(server, 'GET', '/me', { token });

const tokenHeader = (alg: string) =>
  Buffer.from(JSON.stringify({ alg, typ: 'access' })).toString('base64url');
const signOut = (id: string, token?: string) =>
  sendRequest<AuthenticationResult>(
    server,
    'DELETE',
    `/authentication/${id}`,
    token === undefined ? {} : { token },
  );

/** Creates an account that is a member of two workspaces, and returns it with their slugs. */
const createMemberOfTwo = async () => {
  const first = await createWorkspace(server);
  const second = await createWorkspace(server);
  const person = await chooseOwnPassword(server, await addMember(server, first));
  const { body } = await sendRequest<{ token: string }>(server, 'POST', '/users', {
    token: second.admin.token,
    body: { email: person.email, firstName: 'x', lastName: 'y', password: 'not used at all' },
  });
  const joined = await sendRequest(server, 'POST', '/invitations/accept', { token: person.token, body });
  assert.equal(joined.status, 400, 'a body with more than the token is rejected');
  await sendRequest(server, 'POST', '/invitations/accept', {
    token: person.token,
    body: { token: body.token },
  });
  return { person, first, second };
};

describe('signing in', () => {
  test('signing in returns 201 with exactly the authentication result of the specification', async () => {
    const { admin } = await createWorkspace(server);
    const { status, body } = await authenticate({
      strategy: 'local',
      email: admin.email,
      password: admin.password,
    });
    assert.equal(status, 201);
    const { accessToken, authentication, user } = body;
    assert.deepEqual(Object.keys(body).toSorted(), ['accessToken', 'authentication', 'user']);
    assert.equal(authentication.accessToken, accessToken);
    assert.equal(authentication.strategy, 'local');
    assert.equal(authentication.payload.sub, admin.id);
    assert.equal(authentication.payload.email, admin.email);
    assert.equal(authentication.payload.exp - authentication.payload.iat, 24 * 60 * 60);
    assert.deepEqual(Object.keys(authentication.payload).toSorted(), [
      'email',
      'exp',
      'iat',
      'iss',
      'jti',
      'sub',
    ]);
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString());
    assert.deepEqual(claims, { ...authentication.payload });
    assert.equal(JSON.parse(Buffer.from(accessToken.split('.')[0]!, 'base64url').toString()).typ, 'access');
    const { createdAt, updatedAt, firstName, ...rest } = user;
    assert.ok(!Number.isNaN(Date.parse(createdAt)) && !Number.isNaN(Date.parse(updatedAt)));
    assert.deepEqual(rest, {
      avatar: null,
      changeEmailTokenExpiration: null,
      deletedAt: null,
      displayName: `${firstName} Example`,
      email: admin.email,
      githubId: null,
      googleId: null,
      id: admin.id,
      lastName: 'Example',
      linkedAccounts: [],
      microsoftId: null,
      oktaId: null,
      stripeCustomerId: null,
      verified: false,
      workspaceCount: 1,
    });
  });

  test('an account has the times of its creation and last change', async () => {
    const own = await startServer();
    try {
      const person = await signUp(own);
      const userOf = async (): Promise<AuthenticationResult['user']> => {
        const body = { strategy: 'jwt', accessToken: person.token };
        return (await sendRequest<AuthenticationResult>(own, 'POST', '/authentication', { body })).body.user;
      };
      const before = await userOf();
      assert.equal(before.updatedAt, before.createdAt);
      const hour = 60 * 60 * 1000;
      own.runtime.clock.advance(hour);
      await sendRequest(own, 'PATCH', `/users/${person.id}`, {
        token: person.token,
        body: { firstName: 'New' },
      });
      const after = await userOf();
      assert.equal(after.createdAt, before.createdAt);
      const passed = Date.parse(after.updatedAt) - Date.parse(before.updatedAt);
      assert.ok(passed >= hour && passed < 2 * hour, `${passed} ms`);
    } finally {
      await own.close();
    }
  });

  test('an email address is accepted in any letter case', async () => {
    const { email, password } = await signUp(server);
    const { status } = await authenticate({ strategy: 'local', email: email.toUpperCase(), password });
    assert.equal(status, 201);
  });

  test('a wrong password, an unknown address and a foreign or absent workspace get the same 401', async () => {
    const { admin, id } = await createWorkspace(server);
    const other = await createWorkspace(server);
    const { email, password } = admin;
    const refused = [
      { email, password: 'wrong password', workspaceId: id },
      { email: 'nobody@example.org', password, workspaceId: id },
    ];
    const [wrong, unknown] = await Promise.all(
      refused.map((body) => authenticate({ strategy: 'local', ...body })),
    );
    assert.ok(wrong);
    assert.equal(wrong.status, 401);
    assert.deepEqual(unknown?.body, wrong.body);
    assert.equal((wrong.body as unknown as { name: string }).name, 'AuthError');
    const foreign = await authenticate({ strategy: 'local', email, password, workspaceId: other.id });
    const absent = await authenticate({ strategy: 'local', email, password, workspaceId: 'absent' });
    assert.equal(foreign.status, 401);
    assert.equal(JSON.stringify(foreign.body).replaceAll(other.id, 'absent'), JSON.stringify(absent.body));
    assert.equal(JSON.stringify(wrong.body).replaceAll(id, 'absent'), JSON.stringify(absent.body));
  });

  test('an unknown address takes as much work as a password check', async () => {
    // Expensive enough to be nearly all of the work, and tried so rarely that the throttle does not delay it.
    const slowServer = await startServer({ passwordCost: { memory: 65_536, passes: 4 } });
    try {
      const fastestRefusal = async (email: string): Promise<number> => {
        let fastest = Infinity;
        for (let round = 0; round < 3; round++) {
          const start = performance.now();
          const body = { strategy: 'local', email, password: 'wrong password' };
          assert.equal((await sendRequest(slowServer, 'POST', '/authentication', { body })).status, 401);
          fastest = Math.min(fastest, performance.now() - start);
        }
        return fastest;
      };
      const { email } = await signUp(slowServer);
      const known = await fastestRefusal(email);
      const unknown = await fastestRefusal('nobody-at-all@example.org');
      assert.ok(unknown > known / 3, `${unknown} ms for an unknown address, ${known} ms for a known one`);
    } finally {
      await slowServer.close();
    }
  });

  test('a session is bound to the only workspace, to the named one, or to none', async () => {
    const { person, first, second } = await createMemberOfTwo();
    const { email, password } = person;
    const none = await authenticate({ strategy: 'local', email, password });
    assert.equal(none.body.user.workspaceCount, 2);
    assert.equal((await me(none.body.accessToken)).body.workspaceId, null);
    const inBody = await authenticate({ strategy: 'local', email, password, workspaceId: second.id });
    assert.equal((await me(inBody.body.accessToken)).body.workspaceId, second.id);
    const inQuery = await authenticate({ strategy: 'local', email, password }, `?workspaceId=${first.id}`);
    assert.equal((await me(inQuery.body.accessToken)).body.workspaceId, first.id);
    const only = await signIn(server, first.admin);
    assert.equal((await me(only)).body.workspaceId, first.id);
    const both = await authenticate(
      { strategy: 'local', email, password, workspaceId: second.id },
      `?workspaceId=${first.id}`,
    );
    assert.equal(both.status, 400);
  });

  test('the strategy jwt returns the authentication result of a token', async () => {
    const { admin, id } = await createWorkspace(server);
    const { status, body } = await authenticate({
      strategy: 'jwt',
      accessToken: admin.token,
      workspaceId: id,
    });
    assert.equal(status, 201);
    assert.equal(body.accessToken, admin.token);
    assert.equal(body.authentication.strategy, 'jwt');
    assert.equal(body.user.id, admin.id);
    const refused = await authenticate({ strategy: 'jwt', accessToken: `${admin.token}x` });
    assert.equal(refused.status, 401);
    assert.ok(!JSON.stringify(refused.body).includes(admin.token), 'the token is not quoted');
  });

  test('a token can be exchanged for one of another workspace of the person, which does not extend its life', async () => {
    const { person, second } = await createMemberOfTwo();
    const exchange = (workspaceId: string) =>
      authenticate({ strategy: 'jwt', accessToken: person.token, workspaceId });
    const { status, body } = await exchange(second.id);
    assert.equal(status, 201);
    assert.notEqual(body.accessToken, person.token);
    assert.equal((await me(body.accessToken)).body.workspaceId, second.id);
    const before = JSON.parse(Buffer.from(person.token.split('.')[1]!, 'base64url').toString());
    assert.equal(body.authentication.payload.exp, before.exp);
    const foreign = await createWorkspace(server);
    assert.equal((await exchange(foreign.id)).status, 401);
  });

  const refusals: [body: object, status: number, name: string, query?: string][] = [
    [{ strategy: 'proxy', email: '', password: '', firstName: 'Ann' }, 401, 'AuthError'],
    [{ strategy: 'google', access_token: 'x' }, 501, 'NotImplementedError'],
    [{ strategy: 'keycloak', access_token: 'x', workspaceId: 'y' }, 501, 'NotImplementedError'],
    [{ strategy: 'microsoft', access_token: 'x' }, 501, 'NotImplementedError'],
    [{ strategy: 'github', access_token: 'x' }, 501, 'NotImplementedError'],
    [{ strategy: 'okta', access_token: 'x' }, 501, 'NotImplementedError'],
    [{ strategy: 'custom', access_token: 'x' }, 501, 'NotImplementedError'],
    [{ strategy: 'apiKey', key: 'x' }, 401, 'AuthError', '?apiKey=True'],
    [{ strategy: 'apiKey' }, 400, 'BadRequestError', '?apiKey=true'],
    [{ strategy: 'apiKey', key: 'x' }, 400, 'BadRequestError'],
    [{ strategy: 'magic' }, 400, 'BadRequestError'],
    [{ strategy: 'local', email: 'a@b' }, 400, 'BadRequestError'],
    [{ strategy: 'local', password: 'x' }, 400, 'BadRequestError'],
    [{ strategy: 'google' }, 400, 'BadRequestError'],
    [{ strategy: 'jwt' }, 400, 'BadRequestError'],
    [{ strategy: 'local', email: 'a@b', password: 'x', access_token: 'y' }, 400, 'BadRequestError'],
    [{ strategy: 'local', email: 'a@b', password: 'x', role: 'admin' }, 400, 'BadRequestError'],
    [{ email: 'a@b', password: 'x' }, 400, 'BadRequestError'],
    [{ strategy: 'local', email: { $ne: '' }, password: 'x' }, 400, 'BadRequestError'],
  ];
  for (const [body, status, name, query = ''] of refusals) {
    test(`the sign-in ${JSON.stringify(body)}${query} is rejected with ${status}`, async () => {
      const response = await sendRequest(server, 'POST', `/authentication${query}`, { body });
      assert.equal(response.status, status);
      assert.equal(response.body.name, name);
      assert.equal(response.body.code, status);
    });
  }

  test('signing in ignores the credential of the request', async () => {
    const { email, password } = await signUp(server);
    const { status } = await sendRequest(server, 'POST', '/authentication', {
      token: 'garbage',
      body: { strategy: 'local', email, password },
    });
    assert.equal(status, 201);
  });

  test('a token expires after 24 hours', async () => {
    const own = await startServer();
    try {
      const { token } = await signUp(own);
      own.runtime.clock.advance(24 * 60 * 60 * 1000 - 60_000);
      assert.equal((await sendRequest(own, 'GET', '/me', { token })).status, 200);
      own.runtime.clock.advance(60_000);
      assert.equal((await sendRequest(own, 'GET', '/me', { token })).status, 401);
    } finally {
      await own.close();
    }
  });

  test('a token that is unsigned or signed with another key is rejected', async () => {
    const { token } = await signUp(server);
    const [, payload, signature] = token.split('.');
    for (const forged of [
      `${tokenHeader('none')}.${payload}.`,
      `${tokenHeader('none')}.${payload}.${signature}`,
      `${tokenHeader('HS256')}.${payload}.${Buffer.alloc(32).toString('base64url')}`,
    ]) {
      assert.equal((await me(forged)).status, 401);
    }
  });
});

describe('signing out', () => {
  test('signing out with null immediately ends the session of the token in the header', async () => {
    const { token, id } = await signUp(server);
    const { status, body } = await signOut('null', token);
    assert.equal(status, 200);
    assert.equal(body.user.id, id);
    assert.equal(body.accessToken, token);
    assert.equal((await me(token)).status, 401);
    assert.equal((await signOut('null', token)).status, 401);
    assert.equal((await authenticate({ strategy: 'jwt', accessToken: token })).status, 401);
  });

  test('signing out with the token in the path works with and without a header, and keeps other sessions', async () => {
    const person = await signUp(server);
    const other = await signIn(server, person);
    assert.equal((await signOut(person.token, person.token)).status, 200);
    assert.equal((await me(person.token)).status, 401);
    assert.equal((await me(other)).status, 200);
    assert.equal((await signOut(other)).status, 200);
    assert.equal((await me(other)).status, 401);
  });

  test('nobody can sign out the session of another person, or learn whether it exists', async () => {
    const [ann, bob] = [await signUp(server), await signUp(server)];
    const foreign = await signOut(bob.token, ann.token);
    assert.equal(foreign.status, 404);
    assert.equal((await me(bob.token)).status, 200);
    await signOut('null', bob.token);
    assert.deepEqual((await signOut(bob.token, ann.token)).body, foreign.body);
    assert.deepEqual((await signOut('garbage', ann.token)).body, foreign.body);
    assert.ok(!JSON.stringify(foreign.body).includes(bob.token));
  });

  test('signing out without any valid token is 401', async () => {
    assert.equal((await signOut('null')).status, 401);
    assert.equal((await signOut('garbage')).status, 401);
    assert.equal((await signOut('null', 'garbage')).status, 401);
  });

  test('a token in the path does not appear in the log', async () => {
    const { token } = await signUp(server);
    await signOut(token);
    assert.ok(server.log.length > 0);
    assert.ok(!server.log.join('').includes(token));
  });
});

describe('the signed-in person', () => {
  test('GET /me repeats its body in its headers, in ASCII', async () => {
    const { token } = await signUp(server);
    const { id } = (await authenticate({ strategy: 'jwt', accessToken: token })).body.user;
    await sendRequest(server, 'PATCH', `/users/${id}`, {
      token,
      body: { firstName: 'Zoë 日本', lastName: 'O"Neil\u{1f600}\n' },
    });
    const { status, headers, body } = await me(token);
    assert.equal(status, 200);
    const { accessToken, ...user } = body;
    assert.equal(accessToken, token);
    assert.equal(headers.get('koverse-jwt'), token);
    const header = headers.get('koverse-user')!;
    assert.match(header, /^[\x20-\x7e]+$/);
    assert.deepEqual(JSON.parse(header), user);
    assert.equal(user.displayName, 'Zoë 日本 O"Neil\u{1f600}\n');
    const fields = ['workspaceId', 'email', 'firstName', 'lastName', 'displayName', 'sessionId'];
    assert.deepEqual(Object.keys(user), fields);
  });

  test('GET /me accepts a bare token and rejects anything else', async () => {
    const { token } = await signUp(server);
    const bare = await sendRequest(server, 'GET', '/me', { headers: { authorization: token } });
    assert.equal(bare.status, 200);
    assert.equal(bare.headers.get('koverse-jwt'), token);
    assert.equal((await sendRequest(server, 'GET', '/me')).status, 401);
    assert.equal((await me('garbage')).status, 401);
  });
});
