/* Shows: X-ForbiddenError-429, A-limit-credential, A-limit-address, A-request-time, A-security-headers,
   A-cors, A-request-id */
import { sendRequest, createWorkspace, addMember } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';

interface ErrorBody {
  name: string;
  message: string;
  code: number;
}

/** Sends the bytes and returns everything that the server sends until it closes the connection. */
const exchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let response = '';
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });

/** The request of a browser before a page of another origin may send a PATCH with a credential. */
const preflight = (url: string, from: string) =>
  fetch(`${url}/datasets`, {
    method: 'OPTIONS',
    headers: {
      origin: from,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    },
  });

const startLimited = () =>
  startServer({
    protection: { rateLimits: { perCredential: 20, perAddress: 30 }, trustedProxies: ['127.0.0.1'] },
  });
const tooMany = (body: unknown, expected: RegExp): void => {
  const { name, message, code } = body as ErrorBody;
  deepEqual([name, code], ['ForbiddenError', 429]);
  match(message, expected);
};

describe('limits on requests', () => {
  test('each response has the remaining requests of its credential, and one request too many is 429 with the time to wait', async () => {
    const server = await startLimited();
    try {
      const { admin } = await createWorkspace(server);
      const get = () => sendRequest<ErrorBody>(server, 'GET', '/me', { token: admin.token });
      const first = await get();
      const left = Number(first.headers.get('ratelimit-remaining'));
      ok(left < 20);
      equal(first.headers.get('ratelimit-limit'), '20');
      ok(Number(first.headers.get('ratelimit-reset')) > 0);
      for (let count = 0; count < left; count += 1) equal((await get()).status, 200);
      const refused = await get();
      equal(refused.status, 429);
      tooMany(
        refused.body,
        /at most 20 requests a minute with this credential, got more\. Try again in \d s/,
      );
      const wait = Number(refused.headers.get('retry-after'));
      ok(wait >= 1);
      server.runtime.clock.advance(wait * 1000);
      equal((await get()).status, 200);
    } finally {
      await server.close();
    }
  });

  test('more sessions give a person no more requests, and people do not share a limit', async () => {
    const server = await startLimited();
    try {
      const workspace = await createWorkspace(server);
      const other = await addMember(server, workspace);
      const body = { strategy: 'jwt', accessToken: workspace.admin.token };
      const { accessToken } = (
        await sendRequest<{ accessToken: string }>(server, 'POST', '/authentication', { body })
      ).body;
      for (let count = 0; count < 25; count += 1)
        await sendRequest(server, 'GET', '/me', { token: accessToken });
      equal((await sendRequest(server, 'GET', '/me', { token: workspace.admin.token })).status, 429);
      equal((await sendRequest(server, 'GET', '/me', { token: other.token })).status, 200);
    } finally {
      await server.close();
    }
  });

  test('requests without a valid credential are counted by address, and do not affect those with one', async () => {
    const server = await startLimited();
    try {
      const { admin } = await createWorkspace(server);
      const from = (address: string, token?: string) =>
        sendRequest<ErrorBody>(server, 'GET', '/me', {
          headers: { 'x-forwarded-for': address },
          ...(token !== undefined && { token }),
        });
      for (let count = 0; count < 15; count += 1) {
        equal((await from('198.51.100.1')).status, 401);
        equal((await from('198.51.100.1', 'no.such.token')).status, 401);
      }
      for (const refused of [await from('198.51.100.1'), await from('198.51.100.1', 'no.such.token')]) {
        equal(refused.status, 429);
        tooMany(refused.body, /without a valid credential from your address/);
        ok(Number(refused.headers.get('retry-after')) >= 1);
        equal(refused.headers.get('ratelimit-remaining'), null);
      }
      equal((await from('198.51.100.1', admin.token)).status, 200);
      equal((await from('198.51.100.2')).status, 401);
    } finally {
      await server.close();
    }
  });
});

describe('protection of every response', () => {
  const origin = 'https://app.example.org';
  let server: TestServer;
  let trusting: TestServer;
  let token: string;

  before(async () => {
    server = await startServer();
    trusting = await startServer({
      protection: { trustedProxies: ['127.0.0.0/8'], corsOrigins: [origin], requestSeconds: 1 },
    });
    token = (await createWorkspace(trusting)).admin.token;
  });
  after(async () => {
    await server.close();
    await trusting.close();
  });

  test('responses and errors forbid browsers to run, frame, sniff or cache them', async () => {
    for (const path of ['/health', '/nowhere', '/datasets']) {
      const { headers } = await sendRequest(server, 'GET', path);
      equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'", path);
      equal(headers.get('x-frame-options'), 'DENY');
      equal(headers.get('x-content-type-options'), 'nosniff');
      equal(headers.get('referrer-policy'), 'no-referrer');
      equal(headers.get('cache-control'), 'no-store');
      equal(headers.get('strict-transport-security'), null);
      equal(headers.get('x-powered-by'), null);
      equal(headers.get('server'), null);
    }
  });

  test('only behind a trusted proxy with TLS, browsers are told to use TLS from now on', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const trusted = await sendRequest(trusting, 'GET', '/health', { headers });
    equal(trusted.headers.get('strict-transport-security'), 'max-age=31536000');
    equal(
      (await sendRequest(server, 'GET', '/health', { headers })).headers.get('strict-transport-security'),
      null,
    );
  });

  test('each response has a request id, which only a trusted proxy can set', async () => {
    const sent = { headers: { 'x-request-id': 'proxy-1:abc' } };
    equal((await sendRequest(trusting, 'GET', '/health', sent)).headers.get('x-request-id'), 'proxy-1:abc');
    const own = (await sendRequest(server, 'GET', '/health', sent)).headers.get('x-request-id');
    match(own ?? '', /^[0-9a-f-]{36}$/);
    notEqual((await sendRequest(server, 'GET', '/health', sent)).headers.get('x-request-id'), own);
    const odd = { headers: { 'x-request-id': '{"level":60}' } };
    match(
      (await sendRequest(trusting, 'GET', '/health', odd)).headers.get('x-request-id') ?? '',
      /^[0-9a-f-]{36}$/,
    );
  });

  test('pages of other origins get no access, unless their origin is configured', async () => {
    const allowed = await preflight(trusting.url, origin);
    equal(allowed.status, 204);
    equal(allowed.headers.get('access-control-allow-origin'), origin);
    match(allowed.headers.get('access-control-allow-methods') ?? '', /PATCH/);
    equal(allowed.headers.get('access-control-allow-credentials'), null);
    const strangers: [string, string][] = [
      [trusting.url, 'https://app.example.org.evil.example'],
      [trusting.url, 'http://app.example.org'],
      [trusting.url, 'null'],
      [server.url, origin],
    ];
    for (const [url, from] of strangers) {
      const refused = await preflight(url, from);
      equal(refused.status, 404, from);
      equal(refused.headers.get('access-control-allow-origin'), null);
    }
    const response = await sendRequest(trusting, 'GET', '/me', { token, headers: { origin } });
    equal(response.status, 200);
    equal(response.headers.get('access-control-allow-origin'), origin);
    equal(response.headers.get('vary'), 'Origin');
  });

  test('a request that does not arrive in time ends with 400', async () => {
    const response = await exchange(
      trusting.url,
      'POST /users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
    );
    match(response, /^HTTP\/1\.1 400 .*"BadRequestError","message":"The request did not arrive within 1 s/s);
  });

  test('headers beyond 16 KB are 413 and invalid HTTP is 400, in the format of all errors', async () => {
    const long = await exchange(server.url, `GET /health HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    match(long, /^HTTP\/1\.1 413 .*"BadRequestError","message":"The headers .*"code":413/s);
    const odd = await exchange(server.url, 'HELLO\r\n\r\n');
    match(odd, /^HTTP\/1\.1 400 .*"BadRequestError".*"code":400/s);
  });
});
