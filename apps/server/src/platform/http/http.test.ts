/* Shows: K-body-limit, D-security-strict, R-error-fields, R-error-message, X-AuthError, X-BadRequestError,
   X-BadRequestError-413, X-NotFoundError, L19, R-input-malformed, R-not-found-route, R-scheme-bearer,
   W-bearer, W-bearer-bare, W-bearer-wins, A-logs, A-content-encoding */
import { sendRequest, createWorkspace, type TestWorkspace } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { routes } from '@redoubt/contract';
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

describe('every call', () => {
  let server: TestServer;
  let workspace: TestWorkspace;

  before(async () => {
    server = await startServer({ limits: { bodyBytes: 4096 } });
    workspace = await createWorkspace(server);
  });
  after(() => server.close());

  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/attributes`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${workspace.admin.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    });

  test('an unknown path is a NotFoundError that names the method and the path', async () => {
    const { status, body } = await sendRequest(server, 'GET', '/nowhere?x=1', {});
    equal(status, 404);
    deepEqual(body, { name: 'NotFoundError', message: 'There is no GET /nowhere in this API.', code: 404 });
  });

  test('without a credential a call is a 401 that says how to get one', async () => {
    const { status, body } = await sendRequest<{ name: string; message: string }>(
      server,
      'GET',
      '/datasets',
      {},
    );
    equal(status, 401);
    equal(body.name, 'AuthError');
    match(body.message, /Authorization: Bearer .*POST \/authentication/);
  });

  test('a token is accepted with and without Bearer', async () => {
    for (const authorization of [workspace.admin.token, `bearer ${workspace.admin.token}`]) {
      const response = await fetch(`${server.url}/datasets`, { headers: { authorization } });
      equal(response.status, 200);
    }
  });

  test('a bearer token takes precedence over an API key, and an invalid key alone is rejected', async () => {
    const both = { authorization: `Bearer ${workspace.admin.token}`, 'x-api-key': 'abc' };
    equal((await fetch(`${server.url}/datasets`, { headers: both })).status, 200);
    equal((await fetch(`${server.url}/datasets`, { headers: { 'x-api-key': 'abc' } })).status, 401);
  });

  test('a body that is not JSON is rejected with 400', async () => {
    const response = await post('{"name":');
    equal(response.status, 400);
    match(await response.text(), /"name":"BadRequestError".*not valid JSON/);
  });

  test('a duplicate key in a body is rejected by its name, since one of its values would be ignored', async () => {
    for (const body of [
      '{"name":"a","token":"A","token":"B"}',
      '{"name":"a","token":"A","\\u0074oken":"A"}',
      '{"name":"a","token":{"x":[{"token":1}],"token":1,"token":2}}',
    ]) {
      const response = await post(body);
      equal(response.status, 400, body);
      deepEqual(await response.json(), {
        name: 'BadRequestError',
        message: 'token must be sent once, got the key twice. Remove one of the two.',
        code: 400,
        errors: [
          { field: 'token', message: 'token must be sent once, got the key twice. Remove one of the two.' },
        ],
      });
    }
    const long = `"${'x'.repeat(1000)}":1`;
    for (const body of [`{${long}}`, `{${long},${long}}`]) {
      const text = await (await post(body)).text();
      match(text, /x{100}…/);
      ok(text.length < 1000, `an answer of ${text.length} characters`);
    }
    const sameInTwoObjects = await post('{"name":"twice","token":"TWICE","nested":{"name":"twice"}}');
    match(await sameInTwoObjects.text(), /nested/);
  });

  test('an unknown key is rejected by its name, with the known keys', async () => {
    const response = await post(JSON.stringify({ name: 'A', token: 'A', colour: 'red' }));
    equal(response.status, 400);
    const body = (await response.json()) as { errors: { field: string; message: string }[] };
    equal(body.errors[0]?.field, 'colour');
    match(body.errors[0].message, /^colour is not a known field\. Use one of: .*token/);
  });

  test('a wrong value is rejected with its field and the value sent', async () => {
    const response = await post(JSON.stringify({ name: 7, token: 'A' }));
    equal(response.status, 400);
    match(await response.text(), /name must be a string, got the number 7\. Send a string\./);
  });

  test('an unknown query parameter is rejected', async () => {
    const { status } = await sendRequest(server, 'GET', '/attributes?colour=red', {
      token: workspace.admin.token,
    });
    equal(status, 400);
  });

  test('for a body with very many errors only one is named, so that nobody can make the server list them all', async () => {
    const keys = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 0]));
    const response = await post(JSON.stringify({ name: 'A', token: 'A', ...keys }));
    equal(response.status, 400);
    const { errors } = (await response.json()) as { errors: { field: string }[] };
    deepEqual(
      errors.map(({ field }) => field),
      ['k0'],
    );
  });

  test('a body that is nested too deeply to be quoted is rejected with 400', async () => {
    const deep = await startServer();
    try {
      const { admin } = await createWorkspace(deep);
      const response = await fetch(`${deep.url}/attributes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        body: '['.repeat(100_000) + ']'.repeat(100_000),
      });
      equal(response.status, 400);
    } finally {
      await deep.close();
    }
  });

  test('a large or compressed body without a credential is rejected before it is read', async () => {
    const response = await fetch(`${server.url}/datasets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('x'.repeat(10_000)),
    });
    equal(response.status, 401);
  });

  test('a call that anyone may make, and a path that does not exist, have bodies of at most 64 KB after decompression', async () => {
    const roomy = await startServer();
    try {
      const { admin } = await createWorkspace(roomy);
      const send = async (path: string, bytes: number, token?: string) => {
        const body = JSON.stringify({ strategy: 'x'.repeat(bytes - '{"strategy":""}'.length) });
        const response = await fetch(`${roomy.url}${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-encoding': 'gzip',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: gzipSync(body),
        });
        return response.status;
      };
      const open = Object.values(routes).filter(
        ({ caller, method, path }) => caller === 'anyone' && method === 'POST' && !path.includes('{'),
      );
      ok(open.some(({ path }) => path === '/authentication'));
      for (const { path } of open) {
        equal(await send(path, 65_537), 413, path);
        notEqual(await send(path, 65_536), 413, path);
      }
      equal(await send('/nowhere', 65_537, admin.token), 413);
      equal(await send('/attributes', 65_537, admin.token), 400);
      equal(await send('/attributes', 4 * 1024 * 1024 + 1, admin.token), 413);
    } finally {
      await roomy.close();
    }
  });

  test('a path that cannot be decoded is a 400 in the shape of every error', async () => {
    const { status, body } = await sendRequest<{ name: string }>(server, 'GET', '/users/%ff', {});
    equal(status, 400);
    equal(body.name, 'BadRequestError');
  });

  test('a gzip body is decompressed, and a broken one or an unknown encoding is 400', async () => {
    const text = JSON.stringify({ name: 'Packed', token: 'PACKED' });
    equal((await post(gzipSync(text), { 'content-encoding': 'gzip' })).status, 201);
    equal((await post(Buffer.from('no gzip'), { 'content-encoding': 'gzip' })).status, 400);
    equal((await post(text, { 'content-encoding': 'br' })).status, 400);
  });

  test('a body over the limit is 413, uncompressed or after decompression', async () => {
    const text = JSON.stringify({ name: 'x'.repeat(5000), token: 'A' });
    equal((await post(text)).status, 413);
    const packed = await post(gzipSync(text), { 'content-encoding': 'gzip' });
    equal(packed.status, 413);
    match(await packed.text(), /"BadRequestError".*at most 4096 bytes/);
  });

  test('a request line in absolute form is accepted', async () => {
    const { port } = new URL(server.url);
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `GET https://data.example:443/health HTTP/1.1\r\nHost: data.example\r\nConnection: close\r\n\r\n`,
        );
      });
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    match(response, /^HTTP\/1\.1 200 /);
  });

  test('the log contains the route, but no tokens or values', async () => {
    const { token } = workspace.admin;
    await sendRequest(server, 'GET', `/attributes/some-secret-id?x=other-secret`, { token });
    await sendRequest(server, 'DELETE', `/authentication/${token.slice(0, -2)}xx`, {});
    const log = server.log.join('');
    ok(log.includes('/attributes/:id'));
    ok(!log.includes('some-secret-id') && !log.includes('other-secret'));
    ok(!log.includes(token.slice(0, 100)));
  });
});
