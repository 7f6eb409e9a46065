/* Shows: A-sso-console */
import type { SignInOptions } from '@redoubt/contract';
import { startServer, startSingleSignOnFixture, type SingleSignOnFixture } from '@redoubt/server/testing';
import {
  createTestBrowser,
  createWorkspace,
  sendRequest,
  startTestOidc,
  type TestOidc,
  type TestWorkspace,
} from '@redoubt/testkit';
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

let trusted: TestOidc;
let fixture: SingleSignOnFixture;
let server: SingleSignOnFixture['server'];
before(async () => {
  trusted = await startTestOidc();
  fixture = await startSingleSignOnFixture({
    singleSignOn: { allowsPrivate: true, trustedIssuers: [trusted.issuer] },
    // The pages are not built: redirects to them are tested here, and the pages in a browser.
    consoleFolder: '/nowhere',
  });
  ({ server } = fixture);
});
after(async () => {
  await fixture.close();
  await trusted.close();
});
beforeEach(() => server.runtime.clock.set(new Date()));

const optionsOf = async (query = '') => {
  const { status, body } = await sendRequest<SignInOptions>(server, 'GET', `/sign-in-options${query}`);
  equal(status, 200);
  return body;
};
const strategiesOf = async (query = '') =>
  (await optionsOf(query)).providers.map(({ strategy }: { strategy: string }) => strategy);

const addProvider = async ({ admin }: TestWorkspace, issuer: string, providerType: string) => {
  const config = {
    key: trusted.client.id,
    secret: trusted.client.secret,
    authorizeUrl: `${issuer}/auth`,
    accessUrl: `${issuer}/token`,
    profileUrl: `${issuer}/me`,
  };
  const { status, body } = await sendRequest(server, 'POST', '/custom-identity-providers', {
    token: admin.token,
    body: { config, providerType },
  });
  equal(status, 201, JSON.stringify(body));
};

const problemAt = async (
  path: string,
  accept?: string,
): Promise<{ status: number; location: string | null }> => {
  const response = await fetch(`${server.url}${path}`, {
    redirect: 'manual',
    headers: accept === undefined ? {} : { accept },
  });
  return { status: response.status, location: response.headers.get('location') };
};
const returnTo = (path: string, more = {}) => new URLSearchParams({ returnTo: path, ...more }).toString();

describe('ways to sign in', () => {
  const all = ['keycloak', 'microsoft', 'google', 'github', 'okta'];

  test('everyone gets the providers of the server, and whether it sends mail and who can sign up', async () => {
    const { providers, ...rest } = await optionsOf();
    deepEqual(
      providers.map(({ name }: { name: string }) => name),
      ['Keycloak', 'Microsoft', 'Google', 'GitHub', 'Okta'],
    );
    deepEqual(rest, { signUp: 'open', sendsMail: false });
    const bare = await startServer({ signUp: 'invited' });
    try {
      const { body } = await sendRequest(bare, 'GET', '/sign-in-options');
      deepEqual(body, { providers: [], signUp: 'invited', sendsMail: false });
    } finally {
      await bare.close();
    }
  });

  test('a workspace adds the providers that the operator trusts, and one that is not trusted is no way to sign in', async () => {
    const workspace = await createWorkspace(server);
    await addProvider(workspace, trusted.issuer, 'custom');
    deepEqual(await strategiesOf(`?workspaceId=${workspace.id}`), [...all, 'custom']);
    await addProvider(workspace, 'https://id.example.org', 'okta');
    deepEqual(await strategiesOf(`?workspaceId=${workspace.id}`), [...all.slice(0, 4), 'custom']);
    deepEqual(await strategiesOf(), all);
  });

  test('an unknown workspace has the same response as one without providers of its own', async () => {
    const workspace = await createWorkspace(server);
    const texts = await Promise.all(
      [workspace.id, workspace.uniqueId, 'nowhere-at-all', 'a'.repeat(200)].map(async (id) => {
        const response = await fetch(`${server.url}/sign-in-options?workspaceId=${id}`);
        return `${response.status} ${await response.text()}`;
      }),
    );
    deepEqual(new Set(texts), new Set([`200 ${JSON.stringify(await optionsOf())}`]));
  });

  test('a sign-in that returns to the console shows its errors there, and keeps where it was going', async () => {
    const next = '/login?next=%2Fapp%2Fjobs';
    deepEqual(await problemAt(`/sso/custom/login?${returnTo(next)}`), {
      status: 303,
      location: `${server.url}/login?next=%2Fapp%2Fjobs&error=not-available`,
    });
    fixture.oidc.know({ sub: 'console', email: 'console@example.org', email_verified: true });
    fixture.oidc.signsIn('console');
    const browser = createTestBrowser();
    const start = `${server.url}/sso/keycloak/login?${returnTo(next)}`;
    const { url } = await browser.follow(start, ({ pathname }) => pathname.endsWith('/callback'));
    url.searchParams.set('state', 'of another sign-in');
    const { location = '' } = await browser.visit(url.href);
    equal(location, `${server.url}/login?next=%2Fapp%2Fjobs&error=refused`);
    // The cookie is gone, so that this response of the provider cannot be used again.
    equal((await browser.visit(url.href)).status, 401);
    const other = await browser.follow(start, ({ pathname }) => pathname.endsWith('/callback'));
    fixture.oidc.setDown(true);
    try {
      const { location: unavailable } = await browser.visit(other.url.href);
      equal(unavailable, `${server.url}/login?next=%2Fapp%2Fjobs&error=unavailable`);
    } finally {
      fixture.oidc.setDown(false);
    }
  });

  test('a browser that comes back from a provider without having started a sign-in gets a page, a program the error', async () => {
    const path = '/sso/keycloak/callback?code=a&state=b';
    deepEqual(await problemAt(path, 'text/html'), {
      status: 303,
      location: `${server.url}/login?error=expired`,
    });
    equal((await problemAt(path, 'application/json')).status, 401);
  });

  test('a sign-in that returns to a page of another program gets the error of the API', async () => {
    for (const path of ['/app/', '/login-page', '/loginx?next=a', '/LOGIN/x'])
      equal((await problemAt(`/sso/custom/login?${returnTo(path)}`, 'text/html')).status, 501, path);
  });
});
