/* Shows: F-POST-/authentication-sso, A-sso-subject, A-sso-outage, D-unverified-sso, D-sso-audience,
   E-AuthResult-user-githubId, E-AuthResult-user-googleId, E-AuthResult-user-linkedAccounts,
   E-AuthResult-user-microsoftId, E-AuthResult-user-oktaId, R-auth-sso-fields, V-strategy-keycloak,
   V-strategy-microsoft, V-strategy-google, V-strategy-github, V-strategy-okta, W-auth-sso-workspace */
import type { AuthenticationResult } from '@redoubt/contract';
import { startSingleSignOnFixture, type SingleSignOnFixture } from '@redoubt/server/testing';
import {
  addMember,
  sendRequest,
  createWorkspace,
  signUp,
  startTestOidc,
  type TestOidc,
  type TestPerson,
  type TestSocial,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

let fixture: SingleSignOnFixture;
let oidc: TestOidc;
let social: TestSocial;
let server: TestServer;
before(async () => {
  fixture = await startSingleSignOnFixture();
  ({ oidc, social, server } = fixture);
});
after(() => fixture.close());
// The test providers issue tokens by the real clock.
beforeEach(() => server.runtime.clock.set(new Date()));

type Refused = AuthenticationResult & { name: string; message: string };
const signOn = (strategy: string, access_token: string, more: object = {}, query = '') =>
  sendRequest<Refused>(server, 'POST', `/authentication${query}`, {
    body: { strategy, access_token, ...more },
  });
const expectRejected = async (
  strategy: string,
  token: string,
  says: RegExp,
  more: object = {},
): Promise<void> => {
  const { status, body } = await signOn(strategy, token, more);
  assert.deepEqual([status, body.name], [401, 'AuthError'], body.message);
  assert.match(body.message, says);
};
const verify = ({ id }: Pick<TestPerson, 'id'>) =>
  server.db.updateTable('accounts').set({ verified: true }).where('id', '=', id).execute();

let count = 0;
/** Adds a new person to the provider. */
const newcomer = (more: object = {}): { sub: string; email: string } => {
  count += 1;
  const identity = { sub: `subject-${count}`, email: `somebody${count}@example.org`, email_verified: true };
  oidc.know({ ...identity, given_name: 'Some', family_name: `Body ${count}`, ...more });
  return identity;
};
/** Issues a token of the person for each strategy. */
const tokensOf: Record<string, (who: { sub: string; email: string }) => Promise<string>> = {
  keycloak: ({ sub }) => oidc.issueOpaque(sub),
  microsoft: ({ sub, email }) => signed({ sub: `pairwise ${sub}`, oid: sub, email, xms_edov: true }),
  okta: ({ sub }) => oidc.issueSigned(sub),
  google: async ({ sub, email }) => issueSocial(sub, email),
  github: async ({ sub, email }) => issueSocial(sub, email),
};
const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hour = () => Math.floor(Date.now() / 1000) + 3600;
const signed = (claims: object) =>
  oidc.sign({ iss: oidc.issuer, aud: oidc.client.id, exp: hour(), iat: hour() - 3600, ...claims });
const issueSocial = (sub: string, email: string, more: object = {}): string => {
  const token = `token of ${sub} ${email}`;
  const id = Number(/\d+/.exec(sub)?.[0]);
  social.give(token, { clientId: oidc.client.id, id, email, verified: true, ...more });
  return token;
};

describe('single sign-on by access token', () => {
  for (const strategy of ['keycloak', 'microsoft', 'okta', 'google', 'github']) {
    test(`${strategy} creates an account without a workspace for a new person`, async () => {
      const who = newcomer();
      const { status, body } = await signOn(strategy, await tokensOf[strategy]!(who));
      assert.equal(status, 201, body.message);
      assert.equal(body.authentication.strategy, strategy);
      const { user } = body;
      assert.deepEqual([user.email, user.verified, user.workspaceCount], [who.email, true, 0]);
      assert.deepEqual(user.linkedAccounts, [strategy]);
      const id = ['google', 'github'].includes(strategy) ? /\d+/.exec(who.sub)![0] : who.sub;
      const ids = {
        google: user.googleId,
        github: user.githubId,
        microsoft: user.microsoftId,
        okta: user.oktaId,
      };
      for (const [name, value] of Object.entries(ids))
        assert.equal(value, name === strategy ? id : null, name);
      const again = await signOn(strategy, await tokensOf[strategy]!(who));
      assert.equal(again.body.user.id, user.id);
      assert.equal((await sendRequest(server, 'GET', '/me', { token: again.body.accessToken })).status, 200);
    });

    test(`${strategy} signs a member in to the workspace that is named in the body or in the query string`, async () => {
      const workspace = await createWorkspace(server);
      const person = await addMember(server, workspace);
      await verify(person);
      const who = newcomer({ email: person.email });
      const token = await tokensOf[strategy]!({ ...who, email: person.email });
      for (const [more, query] of [
        [{ workspaceId: workspace.id }, ''],
        [{}, `?workspaceId=${workspace.id}`],
        [{}, ''],
      ] as const) {
        const { status, body } = await signOn(strategy, token, more, query);
        assert.equal(status, 201, body.message);
        assert.equal(body.user.id, person.id);
        const me = await sendRequest(server, 'GET', '/me', { token: body.accessToken });
        assert.equal(me.body['workspaceId'], workspace.id);
      }
    });
  }

  test('single sign-on creates no membership, and a rejected one changes nothing', async () => {
    const workspace = await createWorkspace(server);
    const person = await signUp(server);
    await verify(person);
    const token = await oidc.issueOpaque(newcomer({ email: person.email }).sub);
    await expectRejected('keycloak', token, /not a member of workspace/, { workspaceId: workspace.id });
    await expectRejected('keycloak', token, /not a member of workspace/, { workspaceId: 'nowhere-at-all' });
    const nobody = newcomer();
    const strange = await oidc.issueOpaque(nobody.sub);
    await expectRejected('keycloak', strange, /not a member of workspace/, { workspaceId: workspace.id });
    const links = await server.db.selectFrom('account_identities').selectAll().execute();
    assert.ok(!links.some(({ account_id }) => account_id === person.id));
    const made = await server.db
      .selectFrom('accounts')
      .selectAll()
      .where('email', '=', nobody.email)
      .execute();
    assert.equal(made.length, 0);
  });

  test('an account whose own address is unverified is not linked', async () => {
    const person = await signUp(server);
    const who = newcomer({ email: person.email });
    for (const strategy of ['keycloak', 'microsoft', 'google', 'github']) {
      const token = await tokensOf[strategy]!({ ...who, email: person.email });
      await expectRejected(strategy, token, /has not confirmed it/);
    }
    await verify(person);
    assert.equal((await signOn('keycloak', await oidc.issueOpaque(who.sub))).status, 201);
  });

  test('an address that the provider has not verified neither links nor creates an account', async () => {
    const person = await signUp(server);
    await verify(person);
    for (const email of [person.email, 'nobody-yet@example.org']) {
      const { sub } = newcomer({ email, email_verified: false });
      await expectRejected('keycloak', await oidc.issueOpaque(sub), /has no verified email address/);
      await expectRejected('okta', await oidc.issueOpaque(sub), /has no verified email address/);
      await expectRejected(
        'microsoft',
        await signed({ sub, oid: sub, email }),
        /has no verified email address/,
      );
      for (const strategy of ['google', 'github'])
        await expectRejected(
          strategy,
          issueSocial(sub, email, { verified: false }),
          /has no verified email address/,
        );
    }
    const { sub } = newcomer({ email: undefined });
    await expectRejected('keycloak', await oidc.issueOpaque(sub), /has no verified email address/);
  });

  test('once linked, a person is identified by the subject of the provider, even if addresses change', async () => {
    const who = newcomer();
    const first = await signOn('keycloak', await oidc.issueOpaque(who.sub));
    oidc.know({ sub: who.sub, email: 'moved@example.org', email_verified: false });
    const later = await signOn('keycloak', await oidc.issueOpaque(who.sub));
    assert.equal(later.body.user.id, first.body.user.id);
    assert.equal(later.body.user.email, who.email);
  });

  test('a person who gets the address of another at the provider does not get the account', async () => {
    const who = newcomer();
    assert.equal((await signOn('keycloak', await oidc.issueOpaque(who.sub))).status, 201);
    const heir = newcomer({ email: who.email });
    await expectRejected('keycloak', await oidc.issueOpaque(heir.sub), /is linked to another person/);
  });

  test('an account can be linked to several providers by its verified address, and lists them', async () => {
    const who = newcomer();
    const first = await signOn('keycloak', await oidc.issueOpaque(who.sub));
    const second = await signOn('github', issueSocial(who.sub, who.email.toUpperCase()));
    assert.equal(second.body.user.id, first.body.user.id);
    assert.deepEqual(second.body.user.linkedAccounts, ['github', 'keycloak']);
  });

  test('two concurrent first sign-ins create one account, and both succeed', async () => {
    const who = newcomer();
    const tokens = await Promise.all([1, 2, 3].map(() => oidc.issueOpaque(who.sub)));
    const responses = await Promise.all(tokens.map((token) => signOn('keycloak', token)));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201],
    );
    assert.equal(new Set(responses.map(({ body }) => body.user.id)).size, 1);
  });
});

describe('a token that the provider does not confirm', () => {
  test('a token that was issued to another client is rejected by every strategy', async () => {
    const who = newcomer();
    const clientId = oidc.otherClient.id;
    await expectRejected('keycloak', await oidc.issueOpaque(who.sub, { clientId }), /did not issue/);
    await expectRejected('okta', await oidc.issueSigned(who.sub, { clientId }), /did not issue/);
    const { sub, email } = who;
    const verified = { sub, email, email_verified: true };
    for (const wrong of [
      { ...verified, aud: clientId },
      { ...verified, aud: [clientId, 'account'] },
      { ...verified, azp: clientId },
      { ...verified, cid: clientId },
      { ...verified, client_id: clientId },
      { ...verified, appid: clientId },
      { ...verified, azp: oidc.client.id, client_id: clientId },
      { ...verified, aud: undefined },
    ]) {
      for (const strategy of ['keycloak', 'microsoft', 'okta'])
        await expectRejected(strategy, await signed(wrong), /did not issue/);
    }
    for (const strategy of ['google', 'github'])
      await expectRejected(strategy, issueSocial(sub, email, { clientId }), /did not issue/);
  });

  test('a token of another issuer, with a wrong or no signature, or of another type is rejected', async () => {
    const { sub, email } = newcomer();
    const other = await startTestOidc();
    try {
      other.know({ sub, email, email_verified: true });
      const claims = { sub, email, email_verified: true };
      const strange = { iss: oidc.issuer, aud: oidc.client.id, exp: hour(), ...claims };
      const parts = (await signed(claims)).split('.');
      for (const token of [
        await signed({ ...claims, iss: other.issuer }),
        await other.sign(strange),
        await other.issueSigned(sub),
        await other.issueOpaque(sub),
        await oidc.sign(strange, { kid: 'unknown' }),
        await oidc.sign(strange, { typ: 'logout+jwt' }),
        await signed({ ...claims, typ: 'Refresh' }),
        await signed({ ...claims, typ: 'ID' }),
        `${header({ alg: 'none' })}.${parts[1]}.`,
        `${header({ alg: 'HS256', kid: 'test' })}.${parts[1]}.${parts[2]}`,
        `${parts[0]}.${header({ ...strange, email: 'somebody-else@example.org' })}.${parts[2]}`,
        'garbage',
        'a.b.c',
        ' ',
      ]) {
        for (const strategy of ['keycloak', 'okta'])
          await expectRejected(strategy, token, /The sign-in with .* failed/);
      }
    } finally {
      await other.close();
    }
  });

  test('an expired token is rejected by every strategy', async () => {
    const { sub, email } = newcomer();
    const claims = { sub, email, email_verified: true };
    const opaque = await oidc.issueOpaque(sub);
    const issued = await oidc.issueSigned(sub);
    const atGoogle = issueSocial(sub, email);
    const past = Math.floor(Date.now() / 1000) - 60;
    for (const strategy of ['keycloak', 'microsoft', 'okta']) {
      await expectRejected(strategy, await signed({ ...claims, exp: past }), /expired/);
      await expectRejected(
        strategy,
        await signed({ ...claims, exp: undefined }),
        /The sign-in with .* failed/,
      );
      await expectRejected(strategy, await signed({ ...claims, nbf: hour() }), /The sign-in with .* failed/);
    }
    server.runtime.clock.advance(2 * 3_600_000);
    for (const token of [opaque, issued]) await expectRejected('keycloak', token, /expired/);
    await expectRejected('google', atGoogle, /expired/);
  });

  test('a signed token without an address is completed by the provider, which must accept it for the same person', async () => {
    const { sub } = newcomer();
    await expectRejected('keycloak', await signed({ sub }), /does not accept the access token/);
    await expectRejected('keycloak', await signed({ sub, email: 'a@example.org' }), /does not accept/);
  });

  test('a token without the scope email is rejected, because no verified address is known', async () => {
    const { sub } = newcomer();
    const token = await oidc.issueOpaque(sub, { scope: 'openid' });
    const { status, body } = await signOn('keycloak', token);
    assert.ok(status === 401, body.message);
  });

  test('a provider that is down, or sends an unusable response, is 502 HttpClientError, and works again afterwards', async () => {
    const who = newcomer();
    const token = await oidc.issueOpaque(who.sub);
    const atSocial = issueSocial(who.sub, who.email);
    oidc.setDown(true);
    social.setDown(true);
    try {
      for (const [strategy, shown] of [
        ['keycloak', token],
        ['okta', token],
        ['microsoft', token],
        ['google', atSocial],
        ['github', atSocial],
      ] as const) {
        const { status, body } = await signOn(strategy, shown);
        assert.deepEqual([status, body.name], [502, 'HttpClientError'], strategy);
        assert.match(body.message, /identity provider for/);
      }
      const log = server.log.join('');
      assert.match(log, /an identity provider sent no usable response/);
      for (const secret of [token, atSocial, oidc.client.secret]) assert.ok(!log.includes(secret));
    } finally {
      oidc.setDown(false);
      social.setDown(false);
    }
    assert.equal((await signOn('keycloak', token)).status, 201);
  });

  test('tokens of a provider are not in the log', async () => {
    const token = await oidc.issueOpaque(newcomer().sub);
    await signOn('keycloak', token);
    await signOn('google', token);
    assert.ok(server.log.length > 0);
    assert.ok(!server.log.join('').includes(token));
  });
});

test('if sign-up is for invited people only, single sign-on creates no accounts', async () => {
  const { id: clientId, secret: clientSecret } = oidc.client;
  const closed = await startServer({
    signUp: 'invited',
    singleSignOn: { keycloak: { issuer: oidc.issuer, clientId, clientSecret } },
  });
  try {
    closed.runtime.clock.set(new Date());
    const access_token = await oidc.issueOpaque(newcomer().sub);
    const { status, body } = await sendRequest(closed, 'POST', '/authentication', {
      body: { strategy: 'keycloak', access_token },
    });
    assert.equal(status, 401);
    assert.match(String(body['message']), /no account has the email address/);
  } finally {
    await closed.close();
  }
});
