/* Shows: A-sso-own-provider, A-sso-ends, A-outbound-addresses, E-CustomIdentityProvider-providerType,
   V-strategy-custom */
import type { AuthenticationResult } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  chooseOwnPassword,
  createTestBrowser,
  createWorkspace,
  createSender,
  signIn,
  startTestOidc,
  startTestSocial,
  type TestOidc,
  type TestPerson,
  type TestSocial,
  type TestWorkspace,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { applicationToken } from '@redoubt/testkit/requests';

let oidc: TestOidc;
let trusted: TestOidc;
let social: TestSocial;
let server: TestServer;
before(async () => {
  oidc = await startTestOidc();
  trusted = await startTestOidc();
  social = await startTestSocial(trusted.client.secret);
  const trustedIssuers = [trusted.issuer, social.url];
  server = await startServer({ singleSignOn: { allowsPrivate: true, trustedIssuers } });
});
after(async () => {
  await server.close();
  await oidc.close();
  await trusted.close();
  await social.close();
});
beforeEach(() => server.runtime.clock.set(new Date()));

const path = '/custom-identity-providers';
const configOf = ({ issuer, client }: TestOidc) => ({
  key: client.id,
  secret: client.secret,
  authorizeUrl: `${issuer}/auth`,
  accessUrl: `${issuer}/token`,
  profileUrl: `${issuer}/me`,
});
const addProvider = async ({ admin }: TestWorkspace, provider: TestOidc, more: object = {}) => {
  const { status, body } = await sendRequest(server, 'POST', path, {
    token: admin.token,
    body: { config: configOf(provider), ...more },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return String(body['id']);
};
type SignInResponse = AuthenticationResult & { message: string; name: string };
const signOn = (access_token: string, workspaceId: string | undefined, more: object = {}) =>
  sendRequest<SignInResponse>(server, 'POST', '/authentication', {
    body: { strategy: 'custom', access_token, ...(workspaceId && { workspaceId }), ...more },
  });
const expectRejected = async (sent: ReturnType<typeof signOn>, says: RegExp): Promise<void> => {
  const { status, body } = await sent;
  assert.deepEqual([status, body.name], [401, 'AuthError'], body.message);
  assert.match(body.message, says);
};
const verify = ({ id }: Pick<TestPerson, 'id'>) =>
  server.db.updateTable('accounts').set({ verified: true }).where('id', '=', id).execute();
const statusOf = async (token: string) => (await sendRequest(server, 'GET', '/me', { token })).status;

let count = 0;
/** Creates a verified member of the workspace with an identity and a token at the provider. */
const memberAt = async (workspace: TestWorkspace, provider: TestOidc) => {
  const person = await addMember(server, workspace);
  await verify(person);
  const sub = `own-${(count += 1)}`;
  provider.know({ sub, email: person.email, email_verified: true });
  return { person, sub, token: await provider.issueOpaque(sub) };
};

/** Returns the token of an application that the person has allowed. */
const allow = ({ admin, id }: TestWorkspace, person: TestPerson): Promise<string> =>
  applicationToken(createSender(server), admin, id, person, 'mls');

describe('signing in through the provider of a workspace', () => {
  test('a member signs in through a trusted provider of their workspace, and is linked to it', async () => {
    const workspace = await createWorkspace(server);
    await addProvider(workspace, trusted);
    const { person, token } = await memberAt(workspace, trusted);
    const { status, body } = await signOn(token, workspace.id);
    assert.equal(status, 201, body.message);
    assert.equal(body.user.id, person.id);
    const me = await sendRequest(server, 'GET', '/me', { token: body.accessToken });
    assert.equal(me.body['workspaceId'], workspace.id);
    assert.deepEqual(body.user.linkedAccounts, [], 'those of the server alone are told everywhere');
  });

  test('adding a provider and signing in through it are audit events with the strategy and without tokens', async () => {
    const workspace = await createWorkspace(server);
    await addProvider(workspace, trusted);
    const { person, token } = await memberAt(workspace, trusted);
    assert.equal((await signOn(token, workspace.id)).status, 201);
    const { body } = await sendRequest<{ data: { type: string; userId: string; details: object }[] }>(
      server,
      'POST',
      '/audit-log/query',
      { token: workspace.admin.token, body: { expression: '*:*', limit: -1 } },
    );
    const text = JSON.stringify(body.data);
    assert.ok(
      body.data.some(({ type }) => type === 'IdentityProviderManagement'),
      text,
    );
    const logins = body.data.filter(({ type, userId }) => type === 'Login' && userId === person.id);
    assert.ok(JSON.stringify(logins).includes('"strategy":"custom"'), text);
    for (const secret of [token, trusted.client.secret]) assert.ok(!text.includes(secret));
  });

  test('the owner of a provider of a workspace cannot sign in as anyone unless the operator trusts it', async () => {
    const workspace = await createWorkspace(server);
    await addProvider(workspace, oidc);
    const { person, token, sub } = await memberAt(workspace, oidc);
    const requestCount = oidc.requests.length;
    await expectRejected(signOn(token, workspace.id), /operator of this server does not trust/);
    await server.db
      .insertInto('account_identities')
      .values({
        id: `link-${sub}`,
        account_id: person.id,
        strategy: 'custom',
        provider_id: (
          await server.db
            .selectFrom('identity_providers')
            .innerJoin('workspaces', 'workspaces.unique_id', 'identity_providers.workspace_uid')
            .where('workspaces.slug', '=', workspace.id)
            .select('identity_providers.id')
            .executeTakeFirstOrThrow()
        ).id,
        issuer: oidc.issuer,
        subject: sub,
        created_at: new Date(),
      })
      .execute();
    await expectRejected(signOn(token, workspace.id), /operator of this server does not trust/);
    const login = await createTestBrowser().visit(
      `${server.url}/sso/custom/login?workspaceId=${workspace.id}`,
    );
    assert.equal(login.status, 401);
    assert.equal(oidc.requests.length, requestCount, 'it is not even called');
  });

  test('the credential of the request does not link a provider', async () => {
    const workspace = await createWorkspace(server);
    await addProvider(workspace, oidc);
    const { person, token } = await memberAt(workspace, oidc);
    const { status, body } = await signOn(token, workspace.id, { accessToken: person.token });
    assert.equal(status, 400, body.message);
    assert.match(body.message, /accessToken is not a field/);
    await expectRejected(signOn(token, workspace.id), /operator of this server does not trust/);
  });

  test('a session through the provider of a workspace neither reads nor changes the account elsewhere', async () => {
    const workspace = await createWorkspace(server);
    const second = await createWorkspace(server);
    await addProvider(workspace, trusted);
    const { person: added, token } = await memberAt(workspace, trusted);
    const person = await chooseOwnPassword(server, added);
    const invite = (to: TestWorkspace) =>
      sendRequest<{ token: string }>(server, 'POST', '/users', {
        token: to.admin.token,
        body: { email: person.email, firstName: 'x', lastName: 'y', password: 'not used at all' },
      });
    await sendRequest(server, 'POST', '/invitations/accept', {
      token: person.token,
      body: { token: (await invite(second)).body.token },
    });
    const elsewhere = await sendRequest<AuthenticationResult>(server, 'POST', '/authentication', {
      body: { strategy: 'jwt', accessToken: await signIn(server, person), workspaceId: second.id },
    });
    assert.equal(elsewhere.status, 201);
    const there = { ...person, token: elsewhere.body.accessToken };
    await applicationToken(createSender(server), second.admin, second.id, there, 'mls');
    const { user, accessToken } = (await signOn(token, workspace.id)).body;
    assert.equal(user.workspaceCount, 1);
    const listOf = async (where: string) =>
      (
        await sendRequest<{ data: { id: string; workspaceId: string }[] }>(server, 'GET', where, {
          token: accessToken,
        })
      ).body.data;
    assert.deepEqual(
      (await listOf('/workspaces')).map(({ id }) => id),
      [workspace.id],
    );
    assert.equal(
      (await sendRequest(server, 'GET', `/workspaces/${second.id}`, { token: accessToken })).status,
      404,
    );
    assert.deepEqual(await listOf('/application-grants'), []);
    const sessions = await listOf('/sessions');
    assert.ok(sessions.length > 1 && sessions.every(({ workspaceId }) => workspaceId === workspace.id));
    const { payload } = elsewhere.body.authentication;
    const third = await createWorkspace(server);
    const invited = (await invite(third)).body.token;
    const attempts: [number, string, string, unknown?][] = [
      [404, 'DELETE', `/sessions/${payload.jti}`],
      [403, 'PATCH', `/users/${person.id}`, { email: 'attacker@example.org' }],
      [403, 'PATCH', `/users/${person.id}`, { firstName: 'Other' }],
      [403, 'PATCH', `/users/${person.id}`, { password: 'a new password', currentPassword: person.password }],
      [403, 'POST', '/workspaces', { id: 'made-by-another', name: 'made by another' }],
      [403, 'POST', '/invitations/accept', { token: invited }],
      [403, 'POST', '/email-verifications', {}],
      [403, 'DELETE', `/users/${person.id}/picture`],
    ];
    for (const [status, method, where, body] of attempts) {
      const response = await sendRequest(server, method as 'GET', where, {
        token: accessToken,
        ...(body !== undefined && { body }),
      });
      assert.equal(response.status, status, `${method} ${where}: ${JSON.stringify(response.body)}`);
    }
    assert.equal(await statusOf(elsewhere.body.accessToken), 200);
  });

  test('a session through the provider of a workspace is not valid for another workspace', async () => {
    const workspace = await createWorkspace(server);
    const second = await createWorkspace(server);
    await addProvider(workspace, trusted);
    const { person: added, token } = await memberAt(workspace, trusted);
    const person = await chooseOwnPassword(server, added);
    const { body: invitation } = await sendRequest<{ token: string }>(server, 'POST', '/users', {
      token: second.admin.token,
      body: { email: person.email, firstName: 'x', lastName: 'y', password: 'not used at all' },
    });
    const joined = await sendRequest(server, 'POST', '/invitations/accept', {
      token: person.token,
      body: { token: invitation.token },
    });
    assert.ok(joined.status < 300, JSON.stringify(joined.body));
    const { accessToken } = (await signOn(token, workspace.id)).body;
    const exchange = (workspaceId: string, from: string) =>
      sendRequest<SignInResponse>(server, 'POST', '/authentication', {
        body: { strategy: 'jwt', accessToken: from, workspaceId },
      });
    assert.equal((await exchange(workspace.id, accessToken)).status, 201);
    assert.equal((await exchange(second.id, accessToken)).status, 401);
    assert.equal((await exchange(second.id, await signIn(server, person))).status, 201);
    assert.equal((await signOn(token, second.id)).status, 501);
    await addProvider(second, oidc);
    await expectRejected(signOn(token, second.id), /does not trust/);
  });

  test('the provider of a workspace is not used for another, or without its workspace', async () => {
    const workspace = await createWorkspace(server);
    const { token } = await memberAt(workspace, trusted);
    await addProvider(await createWorkspace(server), trusted);
    for (const workspaceId of [workspace.id, undefined, 'nowhere-at-all']) {
      const { status, body } = await signOn(token, workspaceId);
      assert.deepEqual([status, body.name], [501, 'NotImplementedError'], body.message);
    }
  });

  test('sessions and links end with the provider, and when its address or client changes', async () => {
    const workspace = await createWorkspace(server);
    const id = await addProvider(workspace, trusted);
    const { token } = await memberAt(workspace, trusted);
    const opened = async () => (await signOn(token, workspace.id)).body.accessToken;
    const admin = workspace.admin.token;
    const first = await opened();
    assert.equal(await statusOf(first), 200);
    const scope = await sendRequest(server, 'PATCH', `${path}/${id}`, {
      token: admin,
      body: { config: { scope: 'openid email' } },
    });
    assert.equal(scope.status, 200);
    assert.equal(await statusOf(first), 200);
    const changed = await sendRequest(server, 'PATCH', `${path}/${id}`, {
      token: admin,
      body: { config: { profileUrl: `${trusted.issuer}/me?x=1`, secret: trusted.client.secret } },
    });
    assert.equal(changed.status, 200);
    assert.equal(await statusOf(first), 401);
    const second = await opened();
    assert.equal(await statusOf(second), 200);
    await sendRequest(server, 'DELETE', `${path}/${id}`, { token: admin });
    assert.equal(await statusOf(second), 401);
    assert.equal(await statusOf(admin), 200);
  });

  test('grants made in a session through the provider end with the provider, and API keys of the person stay', async () => {
    const workspace = await createWorkspace(server);
    const id = await addProvider(workspace, trusted);
    const { person, token } = await memberAt(workspace, trusted);
    const { accessToken } = (await signOn(token, workspace.id)).body;
    const given = await allow(workspace, { ...person, token: accessToken });
    const key = await sendRequest<{ key: string }>(server, 'POST', '/api-keys', {
      token: accessToken,
      body: { name: 'Mine', workspaceId: workspace.id, groupNames: [], attributeNames: [] },
    });
    assert.equal(key.status, 201);
    const withKey = async () =>
      (await sendRequest(server, 'GET', '/datasets', { headers: { 'x-api-key': key.body.key } })).status;
    const datasets = async () => (await sendRequest(server, 'GET', '/datasets', { token: given })).status;
    assert.deepEqual([await datasets(), await withKey()], [200, 200]);
    await sendRequest(server, 'DELETE', `${path}/${id}`, { token: workspace.admin.token });
    assert.deepEqual([await statusOf(accessToken), await datasets(), await withKey()], [401, 401, 200]);
  });

  test('a start with an issuer no longer trusted ends its sessions and grants, and keeps the links', async () => {
    const [workspace, other] = [await createWorkspace(server), await createWorkspace(server)];
    await addProvider(workspace, trusted);
    await addProvider(other, trusted);
    const { person, token } = await memberAt(workspace, trusted);
    const { accessToken } = (await signOn(token, workspace.id)).body;
    const given = await allow(workspace, { ...person, token: accessToken });
    const restart = async (trustedIssuers: string[]): Promise<void> => {
      const started = await startServer({
        db: server.db,
        singleSignOn: { allowsPrivate: true, trustedIssuers },
      });
      await started.close();
    };
    const datasets = async () => (await sendRequest(server, 'GET', '/datasets', { token: given })).status;
    await restart([trusted.issuer, social.url]);
    assert.deepEqual([await statusOf(accessToken), await datasets()], [200, 200]);
    await restart([social.url]);
    assert.deepEqual([await statusOf(accessToken), await datasets()], [401, 401]);
    assert.equal(await statusOf(person.token), 200, 'sessions by password go on');
    const ended = async ({ admin }: TestWorkspace) =>
      (
        await sendRequest<{ data: { description: string }[] }>(server, 'POST', '/audit-log/query', {
          token: admin.token,
          body: { expression: 'details.by:operator AND type:IdentityProviderManagement' },
        })
      ).body.data.length;
    assert.deepEqual([await ended(workspace), await ended(other)], [1, 0]);
    const again = await signOn(token, workspace.id);
    assert.deepEqual([again.status, again.body.user.id], [201, person.id]);
  });

  test('the end of a membership ends sessions through the provider of the workspace, and no new ones open', async () => {
    const workspace = await createWorkspace(server);
    await addProvider(workspace, trusted);
    const { person, token } = await memberAt(workspace, trusted);
    const { accessToken } = (await signOn(token, workspace.id)).body;
    await sendRequest(server, 'DELETE', `/users/${person.id}`, { token: workspace.admin.token });
    assert.equal(await statusOf(accessToken), 401);
    await expectRejected(signOn(token, workspace.id), /not a member of workspace/);
  });

  test('a provider with only one trusted address is not trusted', async () => {
    const workspace = await createWorkspace(server);
    const config = { ...configOf(oidc), profileUrl: `${trusted.issuer}/me` };
    await addProvider(workspace, oidc, { config });
    const { token } = await memberAt(workspace, oidc);
    await expectRejected(signOn(token, workspace.id), /The sign-in with .* failed/);
    const lookalike = await createWorkspace(server);
    const similar = trusted.issuer.replace(/\d$/, '');
    const { status } = await sendRequest(server, 'POST', path, {
      token: lookalike.admin.token,
      body: { config: { ...configOf(trusted), profileUrl: `${similar}/../me` } },
    });
    assert.equal(status, 201);
    const member = await memberAt(lookalike, trusted);
    const { body } = await signOn(member.token, lookalike.id);
    assert.equal(body.accessToken, undefined);
  });

  test('tokens of another client, and a provider without its own configuration, are rejected', async () => {
    const workspace = await createWorkspace(server);
    const id = await addProvider(workspace, trusted);
    const { sub, token } = await memberAt(workspace, trusted);
    const foreign = await trusted.issueOpaque(sub, { clientId: trusted.otherClient.id });
    await expectRejected(signOn(foreign, workspace.id), /did not issue/);
    for (const change of [
      { accessUrl: `${trusted.issuer}/other` },
      { authorizeUrl: `${trusted.issuer}/x` },
    ]) {
      await sendRequest(server, 'PATCH', `${path}/${id}`, {
        token: workspace.admin.token,
        body: { config: { ...configOf(trusted), ...change } },
      });
      const { status, body } = await signOn(token, workspace.id);
      assert.deepEqual([status, body.name], [502, 'HttpClientError']);
      assert.match(body.message, /publishes no OpenID configuration/);
    }
  });

  test('the provider of a workspace works in a browser, and changing it meanwhile ends the sign-in', async () => {
    const workspace = await createWorkspace(server);
    const id = await addProvider(workspace, trusted);
    const { person, sub } = await memberAt(workspace, trusted);
    trusted.signsIn(sub);
    const login = `${server.url}/sso/custom/login?workspaceId=${workspace.id}`;
    const goThrough = async () => {
      const browser = createTestBrowser();
      const { url } = await browser.follow(login, ({ hash }) => hash !== '');
      const code = new URLSearchParams(url.hash.slice(1)).get('code');
      return () =>
        sendRequest<SignInResponse>(server, 'POST', '/authentication', {
          body: { strategy: 'custom', code },
          headers: { cookie: browser.cookiesFor(server.url) },
        });
    };
    const redeem = await goThrough();
    assert.equal((await redeem()).body.user.id, person.id);
    const late = await goThrough();
    await sendRequest(server, 'DELETE', `${path}/${id}`, { token: workspace.admin.token });
    await addProvider(workspace, trusted);
    assert.equal((await late()).status, 401);
  });

  test('a workspace can use its own client at Google and GitHub, and tokens of other clients are rejected', async () => {
    const workspace = await createWorkspace(server);
    const { key, secret } = configOf(trusted);
    await addProvider(workspace, trusted, {
      providerType: 'google',
      config: { ...configOf(trusted), accessUrl: `${social.url}/token` },
    });
    await addProvider(workspace, trusted, {
      providerType: 'github',
      config: {
        key,
        secret,
        authorizeUrl: `${social.url}/login/oauth/authorize`,
        accessUrl: `${social.url}/login/oauth/access_token`,
        profileUrl: `${social.url}/user`,
      },
    });
    const { person } = await memberAt(workspace, trusted);
    const about = { id: 4242, email: person.email, verified: true };
    social.give('ours', { ...about, clientId: key });
    social.give('of others', { ...about, clientId: 'another' });
    for (const strategy of ['google', 'github']) {
      await expectRejected(signOn('of others', workspace.id, { strategy }), /did not issue/);
      const linked = await signOn('ours', workspace.id, { strategy });
      assert.equal(linked.status, 201, linked.body.message);
      assert.deepEqual([linked.body.user.googleId, linked.body.user.githubId], [null, null]);
      assert.equal((await signOn('ours', workspace.id, { strategy })).body.user.id, person.id);
    }
    const { status } = await createTestBrowser().visit(
      `${server.url}/sso/google/login?workspaceId=${workspace.id}`,
    );
    assert.equal(status, 502, 'its accessUrl is not the one that the issuer names');
  });

  test('L30: if private addresses are not allowed, existing providers with one are not called either', async () => {
    const workspace = await createWorkspace(server);
    await addProvider(workspace, trusted);
    const { config, secret } = await server.db
      .selectFrom('identity_providers')
      .select(['config', 'secret'])
      .executeTakeFirstOrThrow();
    assert.ok(!`${config}${secret}`.includes(trusted.client.secret));
    const strict = await startServer({
      singleSignOn: { allowsPrivate: false, trustedIssuers: [oidc.issuer] },
    });
    try {
      const own = await createWorkspace(strict);
      const { status } = await sendRequest(strict, 'POST', path, {
        token: own.admin.token,
        body: {
          config: {
            ...configOf(oidc),
            ...Object.fromEntries(
              (['authorizeUrl', 'accessUrl', 'profileUrl'] as const).map((name) => [
                name,
                `https://localtest.me/${name}`,
              ]),
            ),
          },
        },
      });
      assert.equal(status, 201);
      await strict.db
        .updateTable('identity_providers')
        .set({ config: JSON.stringify({ ...configOf(oidc), secret: undefined, scope: ['openid'] }) })
        .execute();
      const before = oidc.requests.length;
      const response = await sendRequest(strict, 'POST', '/authentication', {
        body: { strategy: 'custom', access_token: 'x', workspaceId: own.id },
      });
      assert.equal(response.status, 502);
      assert.equal(oidc.requests.length, before);
    } finally {
      await strict.close();
    }
  });
});
