/* Shows: A-cookie-local, A-cookie-limit */
import { createWorkspace, sendRequest, type TestPerson } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import type { AuthenticationResult } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const signInBrowser = (server: TestServer, { email, password }: TestPerson, headers = {}) =>
  sendRequest<AuthenticationResult & { message: string }>(server, 'POST', '/authentication', {
    body: { strategy: 'local', email, password },
    headers: { 'x-redoubt-session': 'new', ...headers },
  });

const cookieOf = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** The headers of proxies on the same machine that listen on plain HTTP and call the server by a loopback address. */
const byProxy: Record<string, Record<string, string>> = {
  'the page of another host': { origin: 'http://data.example.org' },
  'a page whose name begins with localhost': { origin: 'http://localhost.example.org' },
  'a page without an origin': { origin: 'null' },
  'X-Forwarded-For': { 'x-forwarded-for': '198.51.100.7' },
  'X-Forwarded-Host': { 'x-forwarded-host': 'data.example.org' },
  'X-Forwarded-Proto': { 'x-forwarded-proto': 'http' },
  'X-Real-IP': { 'x-real-ip': '198.51.100.7' },
  Forwarded: { forwarded: 'for=198.51.100.7;proto=http' },
  Via: { via: '1.1 proxy.example.org' },
};

for (const trustedProxies of [[], ['127.0.0.1']]) {
  const trust = trustedProxies.length > 0 ? 'a trusted' : 'an unknown';

  describe(`the sign-in of a browser through ${trust} proxy on the same machine`, () => {
    let server: TestServer;
    let person: TestPerson;
    before(async () => {
      server = await startServer({ protection: { trustedProxies } });
      person = (await createWorkspace(server)).admin;
    });
    after(() => server.close());

    for (const [how, headers] of Object.entries(byProxy)) {
      test(`plain HTTP that shows by ${how} is refused, sets no cookie and names TLS`, async () => {
        const { status, body, headers: got } = await signInBrowser(server, person, headers);
        assert.deepEqual([status, got.get('set-cookie')], [403, null]);
        assert.match(body.message, /plain HTTP.*TLS/);
        const direct = await signInBrowser(server, person);
        const asProxy = { cookie: cookieOf(direct.headers), ...headers };
        assert.equal((await sendRequest(server, 'GET', '/me', { headers: asProxy })).status, 401);
      });
    }

    test('a page of this machine gets a cookie over plain HTTP', async () => {
      for (const origin of ['http://localhost:5173', 'http://127.0.0.1', 'http://[::1]:80', server.url]) {
        const { status, headers } = await signInBrowser(server, person, { origin });
        assert.equal(status, 201, origin);
        assert.match(cookieOf(headers), /^redoubt-session-\d+=/);
      }
    });
  });
}

test('only a proxy that is trusted says that a connection is encrypted, and then the cookie is Secure', async () => {
  const forwarded = { 'x-forwarded-proto': 'https', origin: 'https://data.example.org' };
  for (const [trustedProxies, status] of [
    [['127.0.0.1'], 201],
    [[], 403],
  ] as const) {
    const server = await startServer({ protection: { trustedProxies } });
    try {
      const { admin } = await createWorkspace(server);
      const response = await signInBrowser(server, admin, forwarded);
      assert.equal(response.status, status);
      if (status === 201)
        assert.match(response.headers.get('set-cookie') ?? '', /^__Host-.*SameSite=Strict; Secure$/);
      else assert.match(response.body.message, /TRUSTED_PROXIES/);
    } finally {
      await server.close();
    }
  }
});

describe('the limit of an address and the cookies of browsers', () => {
  let server: TestServer;
  let cookie: string;
  const me = async (headers: Record<string, string>): Promise<number> =>
    (await sendRequest(server, 'GET', '/me', { headers })).status;

  before(async () => {
    server = await startServer({ protection: { rateLimits: { perCredential: 0, perAddress: 20 } } });
    const { admin } = await createWorkspace(server);
    cookie = cookieOf((await signInBrowser(server, admin)).headers);
  });
  after(() => server.close());

  test('GET /me with a valid cookie does not count against the address, and with a forged one it does', async () => {
    for (let count = 0; count < 25; count++) assert.equal(await me({ cookie }), 200);
    const forged = cookie.replace(/=.*/, `=${crypto.randomUUID()}.${'A'.repeat(43)}`);
    const statuses = new Set<number>();
    for (let count = 0; count < 25; count++) statuses.add(await me({ cookie: forged }));
    assert.deepEqual([...statuses], [401, 429]);
    assert.equal(await me({}), 429);
    assert.equal(await me({ cookie: 'redoubt-session=of-nobody' }), 429);
    assert.equal(await me({ cookie }), 200);
  });
});
