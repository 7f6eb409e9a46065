/* Shows: A-browser-session, A-browser-session-header, A-browser-session-tls, E-Me-sessionId */
import {
  addMember,
  chooseOwnPassword,
  createWorkspace,
  sendRequest,
  signUp,
  type SendOptions,
  type TestPerson,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import type { AuthenticationResult, Me, Session } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';

let server: TestServer;
before(async () => {
  server = await startServer({ protection: { trustedProxies: ['127.0.0.1'] } });
});
after(() => server.close());

interface Browser {
  id: string;
  cookie: string;
}

const cookieOf = (headers: Headers): string => headers.get('set-cookie') ?? assert.fail('no cookie was set');

const signInBrowser = async (person: TestPerson, more: SendOptions = {}) => {
  const { email, password } = person;
  return sendRequest<AuthenticationResult>(server, 'POST', '/authentication', {
    body: { strategy: 'local', email, password },
    ...more,
    headers: { 'x-redoubt-session': 'new', ...more.headers },
  });
};

const openBrowser = async (person: TestPerson): Promise<Browser> => {
  const { status, body, headers } = await signInBrowser(person);
  assert.equal(status, 201);
  return { id: body.authentication.payload.jti, cookie: cookieOf(headers).split(';')[0] ?? '' };
};

const asBrowser = ({ id, cookie }: Browser, more: Record<string, string> = {}): SendOptions => ({
  headers: { cookie, 'x-redoubt-session': id, ...more },
});

const statusOf = async (path: string, options: SendOptions) =>
  (await sendRequest(server, 'GET', path, options)).status;

describe('the session of a browser', () => {
  test('a sign-in from the console sets a cookie that scripts cannot read, and gives no token', async () => {
    const { admin } = await createWorkspace(server);
    const { body, headers } = await signInBrowser(admin);
    const { port } = new URL(server.url);
    assert.match(
      cookieOf(headers),
      new RegExp(
        `^redoubt-session-${port}=${body.authentication.payload.jti}\\.[\\w-]{43}; Max-Age=86400; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    );
    assert.deepEqual([body.accessToken, body.authentication.accessToken], ['', '']);
    assert.equal(body.user.email, admin.email);
    const secure = cookieOf(
      (await signInBrowser(admin, { headers: { 'x-forwarded-proto': 'https' } })).headers,
    );
    assert.match(secure, /^__Host-redoubt-session=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  });

  test('the cookie is valid only together with the header that names its session', async () => {
    const { admin } = await createWorkspace(server);
    const browser = await openBrowser(admin);
    assert.equal(await statusOf('/datasets', asBrowser(browser)), 200);
    const { id, cookie } = await openBrowser(admin);
    const [name = '', value = ''] = browser.cookie.split('=');
    const refused: Record<string, Record<string, string>> = {
      'without the header': { cookie },
      'without the cookie': { 'x-redoubt-session': id },
      'with the header of another session': { cookie: browser.cookie, 'x-redoubt-session': id },
      'with the word new': { cookie, 'x-redoubt-session': 'new' },
      'with the secret of another session': {
        cookie: `${name}=${id}.${value.split('.')[1] ?? ''}`,
        'x-redoubt-session': id,
      },
      'with another name': { cookie: `redoubt-session=${value}`, 'x-redoubt-session': browser.id },
      'from another site': { ...asBrowser(browser).headers, 'sec-fetch-site': 'cross-site' },
      'from another origin of the site': { ...asBrowser(browser).headers, 'sec-fetch-site': 'same-site' },
    };
    for (const [how, headers] of Object.entries(refused))
      assert.equal(await statusOf('/datasets', { headers }), 401, how);
    assert.equal(await statusOf('/datasets', asBrowser(browser, { 'sec-fetch-site': 'same-origin' })), 200);
  });

  test('neither the cookie nor its secret is a bearer token, and no token is a cookie', async () => {
    const { admin } = await createWorkspace(server);
    const browser = await openBrowser(admin);
    const value = browser.cookie.split('=')[1] ?? '';
    for (const token of [value, value.split('.')[1] ?? '', browser.id])
      assert.equal(await statusOf('/me', { token }), 401);
    const name = browser.cookie.split('=')[0] ?? '';
    const { sessionId } = (await sendRequest<Me>(server, 'GET', '/me', { token: admin.token })).body;
    for (const secret of [admin.token, `${String(sessionId)}.${'A'.repeat(43)}`]) {
      const headers = { cookie: `${name}=${secret}`, 'x-redoubt-session': String(sessionId) };
      assert.equal(await statusOf('/datasets', { headers }), 401);
    }
  });

  test('/me tells a page that was reloaded which session it has, and nothing to other sites', async () => {
    const { admin, id } = await createWorkspace(server);
    const browser = await openBrowser(admin);
    const { body } = await sendRequest<Me>(server, 'GET', '/me', { headers: { cookie: browser.cookie } });
    assert.deepEqual(
      [body.sessionId, body.accessToken, body.email, body.workspaceId],
      [browser.id, '', admin.email, id],
    );
    const foreign = { cookie: browser.cookie, 'sec-fetch-site': 'cross-site' };
    assert.equal(await statusOf('/me', { headers: foreign }), 401);
    const byToken = (await sendRequest<Me>(server, 'GET', '/me', { token: admin.token })).body;
    assert.match(String(byToken.sessionId), /^[0-9a-f-]{36}$/);
  });

  test('calls without sign-in work with the cookie of an ended session', async () => {
    const { admin } = await createWorkspace(server);
    const browser = await openBrowser(admin);
    const ended = await sendRequest(server, 'DELETE', `/sessions/${browser.id}`, asBrowser(browser));
    assert.equal(ended.status, 200);
    assert.match(
      cookieOf(ended.headers),
      /^redoubt-session-\d+=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    assert.equal(await statusOf('/datasets', asBrowser(browser)), 401);
    assert.equal(await statusOf('/me', { headers: { cookie: browser.cookie } }), 401);
    const created = await sendRequest(server, 'POST', '/users', {
      ...asBrowser(browser),
      body: { email: 'new@browser.example', firstName: 'N', lastName: 'N', password: 'long enough' },
    });
    assert.equal(created.status, 201);
    assert.equal((await signInBrowser(admin, { headers: { cookie: browser.cookie } })).status, 201);
  });

  test('an open call knows a person whose browser session is valid', async () => {
    const workspace = await createWorkspace(server);
    const browser = await openBrowser(workspace.admin);
    const { status } = await sendRequest(server, 'POST', '/users', {
      ...asBrowser(browser),
      body: {
        email: 'invited@browser.example',
        firstName: 'I',
        lastName: 'I',
        password: 'long enough',
        workspaceId: workspace.id,
      },
    });
    assert.equal(status, 201, 'only an administrator may name a workspace');
  });

  test('CORS allows no page to send the header of a session', async () => {
    const origin = 'https://app.example.org';
    const open = await startServer({ protection: { corsOrigins: [origin] } });
    try {
      const { status, headers } = await fetch(`${open.url}/datasets`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'x-redoubt-session',
        },
      });
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-credentials'), null);
      assert.doesNotMatch(headers.get('access-control-allow-headers') ?? '', /session|cookie/i);
    } finally {
      await open.close();
    }
  });

  test('a token or an API key cannot be turned into a cookie', async () => {
    const { admin } = await createWorkspace(server);
    const headers = { 'x-redoubt-session': 'new' };
    for (const [query, body, got] of [
      ['', { strategy: 'jwt', accessToken: admin.token }, 'the strategy "jwt"'],
      ['?apiKey=true', { strategy: 'local', key: 'abc' }, 'an API key'],
    ] as const) {
      const {
        status,
        body: error,
        headers: sent,
      } = await sendRequest<{ message: string }>(server, 'POST', `/authentication${query}`, {
        headers,
        body,
      });
      assert.equal(status, 400);
      assert.ok(error.message.includes(`got ${got}`), error.message);
      assert.equal(sent.get('set-cookie'), null);
    }
    const wrong = await signInBrowser({ ...admin, password: 'not this one' });
    assert.deepEqual([wrong.status, wrong.headers.get('set-cookie')], [401, null]);
  });

  test('plain HTTP from another machine is rejected, opens no session, and the error says what to do', async () => {
    const person = await signUp(server);
    const { port } = new URL(server.url);
    const body = JSON.stringify({ strategy: 'local', email: person.email, password: person.password });
    const { status, text } = await new Promise<{ status: number | undefined; text: string }>(
      (resolve, reject) => {
        httpRequest(
          {
            port,
            host: '127.0.0.1',
            method: 'POST',
            path: '/authentication',
            headers: {
              host: 'redoubt.example',
              'x-redoubt-session': 'new',
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
            },
          },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => (text += chunk.toString()));
            response.on('end', () => resolve({ status: response.statusCode, text }));
          },
        )
          .on('error', reject)
          .end(body);
      },
    );
    assert.equal(status, 403);
    assert.match(text, /plain HTTP and not on this machine\. Set TLS_CERT and TLS_KEY/);
    const { total } = (
      await sendRequest<{ total: number }>(server, 'GET', '/sessions', { token: person.token })
    ).body;
    assert.equal(total, 1);
  });

  test('a session moves to another workspace of its person, and to no other', async () => {
    const first = await createWorkspace(server);
    const second = await createWorkspace(server);
    const person = await chooseOwnPassword(server, await addMember(server, first));
    const { body: invitation } = await sendRequest<{ token: string }>(server, 'POST', '/users', {
      token: second.admin.token,
      body: { email: person.email, firstName: 'x', lastName: 'y', password: 'not used at all' },
    });
    await sendRequest(server, 'POST', '/invitations/accept', {
      token: person.token,
      body: { token: invitation.token },
    });
    const browser = await openBrowser(person);
    const move = (id: string, workspaceId: string) =>
      sendRequest<Session>(server, 'PATCH', `/sessions/${id}`, {
        ...asBrowser(browser),
        body: { workspaceId },
      });
    const here = async () =>
      (await sendRequest<Me>(server, 'GET', '/me', asBrowser(browser))).body.workspaceId;
    assert.equal(await here(), null, 'several workspaces and none named');
    for (const { id } of [first, second, first]) {
      const { status, body } = await move(browser.id, id);
      assert.deepEqual([status, body.workspaceId, body.current], [200, id, true]);
      assert.equal(await here(), id);
    }
    const other = await createWorkspace(server);
    for (const id of [other.id, 'no-such-workspace']) {
      const { status, body } = await move(browser.id, id);
      assert.deepEqual([status, (body as unknown as { name: string }).name], [404, 'NotFoundError']);
    }
    const elsewhere = await openBrowser(person);
    assert.equal((await move(elsewhere.id, second.id)).status, 404, 'another session of the person');
    assert.equal(await here(), first.id);
  });
});
