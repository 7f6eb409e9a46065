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

let house: SingleSignOnFixture;
let oidc: TestOidc;
let social: TestSocial;
let server: TestServer;
before(async () => {
  house = await startSingleSignOnFixture();
  ({ oidc, social, server } = house);
});
after(() => house.close());
// What providers issue is as old as it is by the real clock.
beforeEach(() => server.runtime.clock.set(new Date()));

type Refused = AuthenticationResult & { name: string; message: string };
const signOn = (strategy: string, access_token: string, more: object = {}, query = '') =>
  sendRequest<Refused>(server, 'POST', `/authentication${query}`, {
    body: { strategy, access_token, ...more },
  });
const refuses = async (strategy: string, token: string, says: RegExp, more: object = {}): Promise<void> => {
  const { status, body } = await signOn(strategy, token, more);
  assert.deepEqual([status, body.name], [401, 'AuthError'], body.message);
  assert.match(body.message, says);
};
const verify = ({ id }: Pick<TestPerson, 'id'>) =>
  server.db.updateTable('accounts').set({ verified: true }).where('id', '=', id).execute();

let count = 0;
/** Somebody new whom the provider knows. */
const newcomer = (more: object = {}): { sub: string; email: string } => {
  count += 1;
  const identity = { sub: `subject-${count}`, email: `somebody${count}@example.org`, email_verified: true };
  oidc.know({ ...identity, given_name: 'Some', family_name: `Body ${count}`, ...more });
  return identity;
};
/** A token of the person by each strategy. */
const tokensOf: Record<string, (who: { sub: string; email: string }) => Promise<string>> = {
  keycloak: ({ sub }) => oidc.issueOpaque(sub),
  microsoft: ({ sub, email }) => signed({ sub: `pairwise ${sub}`, oid: sub, email, xms_edov: true }),
  okta: ({ sub }) => oidc.issueSigned(sub),
  google: async ({ sub, email }) => giveSocial(sub, email),
  github: async ({ sub, email }) => giveSocial(sub, email),
};
const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hour = () => Math.floor(Date.now() / 1000) + 3600;
const signed = (claims: object) =>
  oidc.sign({ iss: oidc.issuer, aud: oidc.client.id, exp: hour(), iat: hour() - 3600, ...claims });
const giveSocial = (sub: string, email: string, more: object = {}): string => {
  const token = `token of ${sub} ${email}`;
  const id = Number(/\d+/.exec(sub)?.[0]);
  social.give(token, { clientId: oidc.client.id, id, email, verified: true, ...more });
  return token;
};

describe('single sign-on by access token', () => {
  for (const strategy of ['keycloak', 'microsoft', 'okta', 'google', 'github']) {
    test(`${strategy} signs in who is new as an account of their own, without any workspace`, async () => {
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

  test('single sign-on makes nobody a member, and changes nothing where it is refused', async () => {
    const workspace = await createWorkspace(server);
    const person = await signUp(server);
    await verify(person);
    const token = await oidc.issueOpaque(newcomer({ email: person.email }).sub);
    await refuses('keycloak', token, /no member of workspace/, { workspaceId: workspace.id });
    await refuses('keycloak', token, /no member of workspace/, { workspaceId: 'nowhere-at-all' });
    const nobody = newcomer();
    const strange = await oidc.issueOpaque(nobody.sub);
    await refuses('keycloak', strange, /no member of workspace/, { workspaceId: workspace.id });
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
      await refuses(strategy, token, /has not confirmed it/);
    }
    await verify(person);
    assert.equal((await signOn('keycloak', await oidc.issueOpaque(who.sub))).status, 201);
  });

  test('an address that the provider has not verified links and makes no account', async () => {
    const person = await signUp(server);
    await verify(person);
    for (const email of [person.email, 'nobody-yet@example.org']) {
      const { sub } = newcomer({ email, email_verified: false });
      await refuses('keycloak', await oidc.issueOpaque(sub), /has verified an email address/);
      await refuses('okta', await oidc.issueOpaque(sub), /has verified an email address/);
      await refuses('microsoft', await signed({ sub, oid: sub, email }), /has verified an email address/);
      for (const strategy of ['google', 'github'])
        await refuses(strategy, giveSocial(sub, email, { verified: false }), /has verified an email address/);
    }
    const { sub } = newcomer({ email: undefined });
    await refuses('keycloak', await oidc.issueOpaque(sub), /has verified an email address/);
  });

  test('once linked, somebody is known by the subject of the provider, whatever becomes of addresses', async () => {
    const who = newcomer();
    const first = await signOn('keycloak', await oidc.issueOpaque(who.sub));
    oidc.know({ sub: who.sub, email: 'moved@example.org', email_verified: false });
    const later = await signOn('keycloak', await oidc.issueOpaque(who.sub));
    assert.equal(later.body.user.id, first.body.user.id);
    assert.equal(later.body.user.email, who.email);
  });

  test('an address that the provider gives to somebody else does not give them the account', async () => {
    const who = newcomer();
    assert.equal((await signOn('keycloak', await oidc.issueOpaque(who.sub))).status, 201);
    const heir = newcomer({ email: who.email });
    await refuses('keycloak', await oidc.issueOpaque(heir.sub), /belongs to somebody else/);
  });

  test('one account is linked to several providers by its verified address, and says so', async () => {
    const who = newcomer();
    const first = await signOn('keycloak', await oidc.issueOpaque(who.sub));
    const second = await signOn('github', giveSocial(who.sub, who.email.toUpperCase()));
    assert.equal(second.body.user.id, first.body.user.id);
    assert.deepEqual(second.body.user.linkedAccounts, ['github', 'keycloak']);
  });

  test('of two who sign in for the first time at the same moment one makes the account, and both have it', async () => {
    const who = newcomer();
    const tokens = await Promise.all([1, 2, 3].map(() => oidc.issueOpaque(who.sub)));
    const answers = await Promise.all(tokens.map((token) => signOn('keycloak', token)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    );
    assert.equal(new Set(answers.map(({ body }) => body.user.id)).size, 1);
  });
});

describe('a token that the provider does not confirm', () => {
  test('a token that was issued to another client is refused by every strategy', async () => {
    const who = newcomer();
    const clientId = oidc.otherClient.id;
    await refuses('keycloak', await oidc.issueOpaque(who.sub, { clientId }), /did not issue/);
    await refuses('okta', await oidc.issueSigned(who.sub, { clientId }), /did not issue/);
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
        await refuses(strategy, await signed(wrong), /did not issue/);
    }
    for (const strategy of ['google', 'github'])
      await refuses(strategy, giveSocial(sub, email, { clientId }), /did not issue/);
  });

  test('a token of another issuer, with another signature or none, or that is no access token is refused', async () => {
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
        for (const strategy of ['keycloak', 'okta']) await refuses(strategy, token, /does not hold/);
      }
    } finally {
      await other.close();
    }
  });

  test('a token that has expired is refused by every strategy', async () => {
    const { sub, email } = newcomer();
    const claims = { sub, email, email_verified: true };
    const opaque = await oidc.issueOpaque(sub);
    const issued = await oidc.issueSigned(sub);
    const atGoogle = giveSocial(sub, email);
    const past = Math.floor(Date.now() / 1000) - 60;
    for (const strategy of ['keycloak', 'microsoft', 'okta']) {
      await refuses(strategy, await signed({ ...claims, exp: past }), /expired/);
      await refuses(strategy, await signed({ ...claims, exp: undefined }), /does not hold/);
      await refuses(strategy, await signed({ ...claims, nbf: hour() }), /does not hold/);
    }
    server.runtime.clock.advance(2 * 3_600_000);
    for (const token of [opaque, issued]) await refuses('keycloak', token, /expired/);
    await refuses('google', atGoogle, /expired/);
  });

  test('a signed token without an address is completed by the provider, who has to accept it, and about the same person', async () => {
    const { sub } = newcomer();
    await refuses('keycloak', await signed({ sub }), /does not accept the access token/);
    await refuses('keycloak', await signed({ sub, email: 'a@example.org' }), /does not accept/);
  });

  test('a token without the scope of addresses is refused, as nothing says whose address is verified', async () => {
    const { sub } = newcomer();
    const token = await oidc.issueOpaque(sub, { scope: 'openid' });
    const { status, body } = await signOn('keycloak', token);
    assert.ok(status === 401, body.message);
  });

  test('a provider that is down, or answers what cannot be used, is 502 HttpClientError, and works again afterwards', async () => {
    const who = newcomer();
    const token = await oidc.issueOpaque(who.sub);
    const atSocial = giveSocial(who.sub, who.email);
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
      assert.match(log, /an identity provider gave no answer that can be used/);
      for (const secret of [token, atSocial, oidc.client.secret]) assert.ok(!log.includes(secret));
    } finally {
      oidc.setDown(false);
      social.setDown(false);
    }
    assert.equal((await signOn('keycloak', token)).status, 201);
  });

  test('what a provider issued stands in no log', async () => {
    const token = await oidc.issueOpaque(newcomer().sub);
    await signOn('keycloak', token);
    await signOn('google', token);
    assert.ok(server.log.length > 0);
    assert.ok(!server.log.join('').includes(token));
  });
});

test('where only invited people may sign up, single sign-on makes no accounts', async () => {
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
    assert.match(String(body['message']), /nobody here has the email address/);
  } finally {
    await closed.close();
  }
});
