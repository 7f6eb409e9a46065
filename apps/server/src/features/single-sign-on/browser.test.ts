/* Shows: F-POST-/authentication-code, A-sso-outage, V-strategy-keycloak, V-strategy-microsoft,
   V-strategy-google, V-strategy-github, V-strategy-okta */
import type { AuthenticationResult } from '@redoubt/contract';
import { startSingleSignOnFixture, type SingleSignOnFixture } from '@redoubt/server/testing';
import {
  addMember,
  sendRequest,
  createTestBrowser,
  createWorkspace,
  startTestOidc,
  type TestBrowser,
  type TestOidc,
  type TestSocial,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';

let fixture: SingleSignOnFixture;
let oidc: TestOidc;
let social: TestSocial;
let server: TestServer;
before(async () => {
  fixture = await startSingleSignOnFixture();
  ({ oidc, social, server } = fixture);
});
after(() => fixture.close());
beforeEach(() => server.runtime.clock.set(new Date()));
afterEach(() => oidc.tamper(undefined));

let count = 0;
const newcomer = (more: object = {}): { sub: string; email: string } => {
  count += 1;
  const identity = { sub: `browser-${count}`, email: `visitor${count}@example.org`, email_verified: true };
  oidc.know({ ...identity, given_name: 'Vi', family_name: 'Sitor', ...more });
  oidc.signsIn(identity.sub);
  return identity;
};

const at = async (url: string) => (await createTestBrowser().visit(url)).status;
const isCallback = ({ origin, pathname }: URL) => origin === server.url && pathname.endsWith('/callback');
const isHome = ({ hash }: URL) => hash !== '';
const login = (provider: string, query = '') => `${server.url}/sso/${provider}/login${query}`;
/** Goes through a whole sign-in, and returns the URL at which the browser ends. */
const goThrough = (browser: TestBrowser, provider: string, query = '') =>
  browser.follow(login(provider, query), isHome);
/** Returns the URL that the provider sends the browser back to, without visiting it. */
const upToCallback = async (browser: TestBrowser, provider = 'keycloak', query = ''): Promise<URL> =>
  (await browser.follow(login(provider, query), isCallback)).url;
const codeIn = ({ hash }: URL): string => new URLSearchParams(hash.slice(1)).get('code') ?? '';
const redeem = (browser: TestBrowser | undefined, body: object) =>
  sendRequest<AuthenticationResult & { message: string }>(server, 'POST', '/authentication', {
    body,
    headers: browser === undefined ? {} : { cookie: browser.cookiesFor(server.url) },
  });
const expectRejected = async (browser: TestBrowser, url: URL, says: RegExp): Promise<void> => {
  const { status, text } = await browser.visit(url.href);
  assert.equal(status, 401, text);
  assert.match(text, says);
};

describe('single sign-on in a browser', () => {
  for (const provider of ['keycloak', 'microsoft', 'okta', 'google']) {
    test(`${provider} signs in by authorization code with PKCE, state and nonce, and the code in the fragment opens a session once`, async () => {
      const who = newcomer();
      if (provider === 'microsoft')
        oidc.tamper((claims) => ({ ...claims, oid: who.sub, email: who.email, xms_edov: true }));
      const browser = createTestBrowser();
      const { location } = await browser.visit(login(provider, '?returnTo=/app/datasets?tab=1'));
      const parameters = new URL(location!).searchParams;
      assert.equal(parameters.get('code_challenge_method'), 'S256');
      for (const name of ['code_challenge', 'state', 'nonce'])
        assert.match(parameters.get(name) ?? '', /^[\w-]{43}$/, name);
      const { url } = await goThrough(browser, provider, '?returnTo=/app/datasets?tab=1');
      assert.equal(url.href.split('#')[0], `${server.url}/app/datasets?tab=1`);
      const { status, body } = await redeem(browser, { strategy: provider, code: codeIn(url) });
      assert.equal(status, 201, body.message);
      assert.deepEqual([body.user.email, body.user.verified], [who.email, true]);
      assert.deepEqual(body.user.linkedAccounts, [provider]);
      assert.equal((await sendRequest(server, 'GET', '/me', { token: body.accessToken })).status, 200);
      assert.equal((await redeem(browser, { strategy: provider, code: codeIn(url) })).status, 401);
    });
  }

  test('github signs in by authorization code with PKCE and state', async () => {
    social.give('token from github', {
      clientId: oidc.client.id,
      id: 4711,
      email: 'octo@example.org',
      verified: true,
      name: 'Octo Cat',
    });
    social.signsIn('token from github');
    const browser = createTestBrowser();
    const { url } = await goThrough(browser, 'github');
    const { status, body } = await redeem(browser, { strategy: 'github', code: codeIn(url) });
    assert.equal(status, 201, body.message);
    assert.deepEqual([body.user.githubId, body.user.displayName], ['4711', 'Octo Cat']);
  });

  test('the session is bound to the workspace of the login', async () => {
    const workspace = await createWorkspace(server);
    const person = await addMember(server, workspace);
    await server.db.updateTable('accounts').set({ verified: true }).where('id', '=', person.id).execute();
    newcomer({ email: person.email });
    const browser = createTestBrowser();
    const { url } = await goThrough(browser, 'keycloak', `?workspaceId=${workspace.id}`);
    const code = codeIn(url);
    const { body } = await redeem(browser, { strategy: 'keycloak', code, workspaceId: workspace.id });
    const me = await sendRequest(server, 'GET', '/me', { token: body.accessToken });
    assert.deepEqual([me.body['email'], me.body['workspaceId']], [person.email, workspace.id]);
    const other = createTestBrowser();
    const again = await goThrough(other, 'keycloak', `?workspaceId=${workspace.id}`);
    const sent = { strategy: 'keycloak', code: codeIn(again.url), workspaceId: 'another' };
    assert.equal((await redeem(other, sent)).status, 400);
  });

  test('a code is invalid in another browser, for another strategy, and after two minutes', async () => {
    newcomer();
    const browser = createTestBrowser();
    const fresh = async () => codeIn((await goThrough(browser, 'keycloak')).url);
    const refusals = [
      await redeem(undefined, { strategy: 'keycloak', code: await fresh() }),
      await redeem(createTestBrowser(), { strategy: 'keycloak', code: await fresh() }),
      await redeem(browser, { strategy: 'okta', code: await fresh() }),
      await redeem(browser, { strategy: 'keycloak', code: 'guessed' }),
    ];
    const first = await fresh();
    await fresh();
    refusals.push(await redeem(browser, { strategy: 'keycloak', code: first }));
    const late = await fresh();
    server.runtime.clock.advance(121_000);
    refusals.push(await redeem(browser, { strategy: 'keycloak', code: late }));
    for (const { status, body } of refusals) {
      assert.equal(status, 401);
      assert.match(
        body.message,
        /was already used, is older than two minutes, or belongs to another browser/,
      );
    }
  });

  test('a response of the provider is valid only in the browser that started the sign-in, for ten minutes', async () => {
    newcomer();
    const browser = createTestBrowser();
    const url = await upToCallback(browser);
    await expectRejected(createTestBrowser(), url, /has not started such a sign-in/);
    const elsewhere = new URL(url.href.replace('/sso/keycloak/', '/sso/okta/'));
    await expectRejected(browser, elsewhere, /has not started such a sign-in/);
    server.runtime.clock.advance(601_000);
    await expectRejected(browser, url, /has not started such a sign-in/);
  });

  test('a response with another state, issuer or code, or with an error, is rejected', async () => {
    for (const [name, value] of [
      ['state', 'another'],
      ['state', ''],
      ['iss', 'https://evil.example.org'],
      ['code', 'another'],
      ['error', 'access_denied'],
    ] as const) {
      newcomer();
      const browser = createTestBrowser();
      const url = await upToCallback(browser);
      url.searchParams.set(name, value);
      await expectRejected(browser, url, /The sign-in with .* failed/);
    }
    newcomer();
    const browser = createTestBrowser();
    const url = await upToCallback(browser);
    url.searchParams.delete('state');
    await expectRejected(browser, url, /The sign-in with .* failed/);
    assert.equal((await browser.visit(`${url.href}&whatever=1`)).status, 400);
  });

  test('a code of another sign-in of the same person is rejected, because its verifier differs', async () => {
    newcomer();
    const [one, two] = [createTestBrowser(), createTestBrowser()];
    const [first, second] = [await upToCallback(one), await upToCallback(two)];
    second.searchParams.set('code', first.searchParams.get('code')!);
    await expectRejected(two, second, /The sign-in with .* failed/);
  });

  test('an ID token that has expired, or has a wrong nonce, audience, issuer or signature, is rejected', async () => {
    const past = Math.floor(Date.now() / 1000) - 3600;
    for (const wrong of [
      { nonce: 'another' },
      { nonce: undefined },
      { aud: oidc.otherClient.id },
      { aud: [oidc.client.id, oidc.otherClient.id] },
      { iss: 'https://evil.example.org' },
      { exp: past },
      { exp: undefined },
      { iat: undefined },
      { sub: undefined },
    ]) {
      newcomer();
      oidc.tamper((claims) => ({ ...claims, ...wrong }));
      const browser = createTestBrowser();
      const url = await upToCallback(browser);
      await expectRejected(browser, url, /The sign-in with .* failed/);
    }
    const other = await startTestOidc();
    try {
      newcomer();
      oidc.tamper((claims) => other.sign(claims));
      const browser = createTestBrowser();
      await expectRejected(browser, await upToCallback(browser), /The sign-in with .* failed/);
    } finally {
      await other.close();
    }
  });

  test('an ID token of one person is not completed with the profile of another', async () => {
    const { sub } = newcomer();
    oidc.tamper((claims) => ({ ...claims, sub: `${sub} and more` }));
    const browser = createTestBrowser();
    await expectRejected(browser, await upToCallback(browser), /The sign-in with .* failed/);
  });

  test('an address that the provider has not verified opens no session in a browser', async () => {
    newcomer({ email_verified: false });
    const browser = createTestBrowser();
    const { url } = await goThrough(browser, 'keycloak');
    const { status, body } = await redeem(browser, { strategy: 'keycloak', code: codeIn(url) });
    assert.equal(status, 401);
    assert.match(body.message, /has no verified email address/);
  });

  test('the browser is never sent to another host, or to a path that redirects', async () => {
    for (const returnTo of [
      'https://evil.example.org/',
      '//evil.example.org/',
      '/.//evil.example.org/a',
      '/x/..//evil.example.org/',
      '/\\evil.example.org',
      '\\\\evil.example.org',
      '/\t/evil.example.org',
      'evil',
      '',
      'javascript:alert(1)',
      '/app/#code=1',
      '/app\r\nset-cookie: a=b',
      '/sso/google/login',
      '/app/../sso/google/login',
      '/%2e%2e/sso/google/login',
      '/oauth2/auth',
      '/%6fauth2/auth?client_id=x',
      '/ss%6F/google/login',
      '/app/%2e%2e/o%61uth2/auth',
      '/%',
    ]) {
      const { status, text } = await createTestBrowser().visit(
        login('keycloak', `?${new URLSearchParams({ returnTo }).toString()}`),
      );
      assert.equal(status, 400, returnTo);
      assert.match(text, /returnTo/);
    }
  });

  test('a provider that is not set up is 501, an unknown one 404, and one that is down 502', async () => {
    assert.equal(await at(login('custom')), 501);
    assert.equal(await at(login('custom', '?workspaceId=nowhere')), 501);
    assert.equal(await at(login('saml')), 404);
    newcomer();
    const browser = createTestBrowser();
    const callback = await upToCallback(browser);
    oidc.setDown(true);
    try {
      const { status, text } = await browser.visit(callback.href);
      assert.deepEqual([status, (JSON.parse(text) as { name: string }).name], [502, 'HttpClientError']);
    } finally {
      oidc.setDown(false);
    }
  });

  test('the cookies of a sign-in are sealed, and unavailable to scripts and other sites', async () => {
    const response = await fetch(login('keycloak'), { redirect: 'manual' });
    const [cookie = '', ...more] = response.headers.getSetCookie();
    assert.equal(more.length, 0);
    assert.match(cookie, /^redoubt-sso-begun=s1\.[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const parameters = new URL(response.headers.get('location')!).searchParams;
    for (const name of ['state', 'nonce']) assert.ok(!cookie.includes(parameters.get(name)!));
    const secure = await startServer({
      publicUrl: 'https://data.example.org',
      singleSignOn: {
        keycloak: { issuer: oidc.issuer, clientId: oidc.client.id, clientSecret: oidc.client.secret },
      },
    });
    try {
      const result = await fetch(`${secure.url}/sso/keycloak/login`, { redirect: 'manual' });
      const [safe = ''] = result.headers.getSetCookie();
      assert.match(safe, /^__Host-redoubt-sso-begun=.*; Secure$/);
      const sentTo = new URL(result.headers.get('location')!).searchParams.get('redirect_uri');
      assert.equal(sentTo, 'https://data.example.org/sso/keycloak/callback');
    } finally {
      await secure.close();
    }
  });

  test('neither the code of the provider nor that of the session is in the log or in the URL of a request', async () => {
    newcomer();
    const browser = createTestBrowser();
    const callback = await upToCallback(browser);
    const { url } = await browser.follow(callback.href, isHome);
    assert.equal((await redeem(browser, { strategy: 'keycloak', code: codeIn(url) })).status, 201);
    const log = server.log.join('');
    assert.ok(log.includes('/sso/:provider/callback'));
    for (const secret of [callback.searchParams.get('code')!, codeIn(url)]) assert.ok(!log.includes(secret));
  });
});
