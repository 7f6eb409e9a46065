/* Shows: A-client */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { parseListQuery, routes, type ResponseOf } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import qs from 'qs';
import { createApiClient } from './client.ts';
import type { ApiClient, CallInput } from './types.ts';

interface Received {
  method: string | undefined;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type RequestHandler = (received: Received, response: ServerResponse) => void;

const json =
  (status: number, body: unknown): RequestHandler =>
  (_received, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const page = json(200, { total: 0, limit: 10, skip: 0, data: [] });

/** The server answers with `handle`, which tests replace, and keeps the last request in `received`. */
let handle: RequestHandler = page;
let received: Received;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url = '', headers } = request;
    received = { method, url, headers, body: Buffer.concat(chunks).toString() };
    handle(received, response);
  });
});
let baseUrl: string;
let client: ApiClient;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createApiClient({ baseUrl: `${baseUrl}/`, token: 'the-token' });
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const thrownBy = async (act: () => Promise<unknown>): Promise<RedoubtError> => {
  try {
    await act();
  } catch (error) {
    assert.ok(error instanceof RedoubtError, String(error));
    return error;
  }
  return assert.fail('nothing was thrown');
};
const receivedQuery = () => qs.parse(received.url.split('?')[1] ?? '');

describe('the typed client', () => {
  test('the client has a method for every operationId', () => {
    for (const operationId of Object.keys(routes)) {
      assert.equal(typeof client[operationId as keyof ApiClient], 'function', operationId);
    }
  });

  test('the client sends method, path, token and body by the contract, and returns the response', async () => {
    handle = json(200, { id: 'a/b', firstName: 'Ada' });
    const user: ResponseOf<typeof routes.updateUser> = await client.updateUser({
      params: { id: 'a/b ü' },
      body: { firstName: 'Ada' },
    });
    assert.equal(user.firstName, 'Ada');
    assert.deepEqual([received.method, received.url], ['PATCH', '/users/a%2Fb%20%C3%BC']);
    assert.equal(received.headers.authorization, 'Bearer the-token');
    assert.equal(received.headers['content-type'], 'application/json');
    assert.equal(received.body, '{"firstName":"Ada"}');
    assert.deepEqual(await client.call(routes.getUser, { params: { id: 'x' } }), user);
    assert.deepEqual([received.method, received.url, received.body], ['GET', '/users/x', '']);
    assert.equal(received.headers['content-type'], undefined);
  });

  test('the client gets the token for each request, or uses an API key', async () => {
    handle = page;
    const tokens = ['first', undefined];
    const changing = createApiClient({ baseUrl, token: () => tokens.shift(), apiKey: 'the-key' });
    await changing.listUsers();
    assert.deepEqual(
      [received.headers.authorization, received.headers['x-api-key']],
      ['Bearer first', 'the-key'],
    );
    await changing.listUsers();
    assert.equal(received.headers.authorization, undefined);
  });

  test('the server parses the query string of a list as the client wrote it', async () => {
    handle = page;
    await client.listUsers({
      query: {
        $limit: -1,
        $skip: 3,
        $sort: { lastName: -1, email: 1 },
        firstName: 'Ä & B=C [x]+%',
        role: { $in: ['admin', 'member'] },
        disabled: { $ne: true },
        $or: [{ email: 'a@b' }, { lastName: { $gt: 'm', $lte: 'null' } }],
      },
    });
    assert.ok(received.url.includes(`${encodeURIComponent('$sort[lastName]')}=-1`), received.url);
    assert.deepEqual(parseListQuery(receivedQuery(), routes.listUsers.list ?? assert.fail(), undefined), {
      limit: -1,
      skip: 3,
      sort: [
        { field: 'lastName', direction: -1 },
        { field: 'email', direction: 1 },
      ],
      where: [
        { field: 'firstName', operator: 'eq', value: 'Ä & B=C [x]+%' },
        { field: 'role', operator: 'in', value: ['admin', 'member'] },
        { field: 'disabled', operator: 'ne', value: true },
      ],
      or: [
        [{ field: 'email', operator: 'eq', value: 'a@b' }],
        [
          { field: 'lastName', operator: 'gt', value: 'm' },
          { field: 'lastName', operator: 'lte', value: 'null' },
        ],
      ],
      flags: {},
    });
  });

  test('the client rejects an empty array as a filter, which the server would not see', async () => {
    const error = await thrownBy(() => client.listUsers({ query: { id: { $in: [] } } }));
    assert.deepEqual([error.name, error.errors?.[0]?.field], ['BadRequestError', 'id[$in]']);
  });

  test('the client rejects ids that would lead to another path', async () => {
    for (const id of ['', '.', '..']) {
      assert.equal((await thrownBy(() => client.getUser({ params: { id } }))).name, 'BadRequestError');
    }
  });

  test('an error response is thrown with its name, message, code and field errors', async () => {
    const errors = [{ field: 'name', message: 'is taken' }];
    handle = json(409, { name: 'BadRequestError', message: 'The name is taken.', code: 409, errors });
    const error = await thrownBy(() => client.listUsers());
    assert.deepEqual(
      { ...error.toWire() },
      { name: 'BadRequestError', message: 'The name is taken.', code: 409, errors },
    );
    handle = json(404, { name: 'NotFoundError', message: 'Gone.', code: 404 });
    assert.deepEqual((await thrownBy(() => client.stream(routes.listUsers))).toWire(), {
      name: 'NotFoundError',
      message: 'Gone.',
      code: 404,
    });
  });

  test('an error response of another server is thrown with its status', async () => {
    for (const body of ['<html>Bad gateway</html>', '{"name":"toString","message":"x"}', 'null', '']) {
      handle = (_received, response) => response.writeHead(503).end(body);
      const error = await thrownBy(() => client.listUsers());
      assert.deepEqual([error.name, error.code], ['HttpClientError', 503]);
    }
  });

  test('a response that breaks off or is not JSON is an error, never a shorter response', async () => {
    handle = (_received, response) => response.writeHead(200).end('{"total":1,"data":[');
    assert.equal((await thrownBy(() => client.listUsers())).name, 'HttpClientError');
    handle = (_received, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"total":1}', () => response.destroy());
    };
    assert.equal((await thrownBy(() => client.listUsers())).name, 'HttpClientError');
  });

  test('an unreachable server causes an error that names it', async () => {
    const closed = createApiClient({ baseUrl: 'http://127.0.0.1:1' });
    const error = await thrownBy(() => closed.listUsers());
    assert.equal(error.name, 'HttpClientError');
    assert.match(error.message, /127\.0\.0\.1:1/);
  });

  test('an aborted request is rejected with the reason of its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('not wanted any more');
    handle = () => controller.abort(reason);
    await assert.rejects(client.listUsers({}, { signal: controller.signal }), (error) => error === reason);
  });

  test('a streamed response is readable while it arrives', async () => {
    let pending: ServerResponse | undefined;
    handle = (_received, response) => {
      response.writeHead(200).write('{"records":[');
      pending = response;
    };
    const response = await client.stream(routes.listUsers);
    const reader = (response.body ?? assert.fail()).getReader();
    const decoder = new TextDecoder();
    assert.equal(decoder.decode((await reader.read()).value), '{"records":[');
    pending?.end(']}');
    assert.equal(decoder.decode((await reader.read()).value), ']}');
    assert.equal((await reader.read()).done, true);
  });

  test('FormData is sent as a multipart form', async () => {
    handle = json(200, {});
    const form = new FormData();
    form.set('datasetId', 'd');
    await client.updateUser({ params: { id: 'x' }, body: form });
    assert.match(received.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
    assert.match(received.body, /name="datasetId"/);
  });

  test('a custom fetch replaces the global one', async () => {
    const seen: string[] = [];
    const own = createApiClient({
      baseUrl: 'http://nowhere.test/base',
      fetch: async (url) => {
        seen.push(typeof url === 'string' ? url : 'no text');
        return Response.json({ status: 'ok' });
      },
    });
    assert.deepEqual(await own.getHealth(), { status: 'ok' });
    assert.deepEqual(seen, ['http://nowhere.test/base/health']);
  });

  test('the types of a call follow the contract', () => {
    type Input<K extends keyof typeof routes> = CallInput<(typeof routes)[K]>;
    type Accepts<T, U> = U extends T ? true : false;
    const checks: [
      Accepts<Input<'getUser'>, { params: { id: string } }>,
      Accepts<Input<'getUser'>, { params: { id: number } }>,
      Accepts<Input<'getUser'>, object>,
      Accepts<Input<'listUsers'>, { query: { $sort: { email: 1 } } }>,
      Accepts<Input<'listUsers'>, { query: { $sort: { email: 2 } } }>,
      Accepts<Input<'listUsers'>, { query: { disabled: { $ne: boolean } } }>,
      Accepts<Input<'listUsers'>, { query: { disabled: string } }>,
      Accepts<Input<'updateUser'>, { params: { id: string }; body: { firstName: string } }>,
      Accepts<Input<'updateUser'>, { params: { id: string }; body: { firstName: number } }>,
      Accepts<Input<'updateUser'>, { params: { id: string } }>,
    ] = [true, false, false, true, false, true, false, true, false, false];
    assert.equal(checks.length, 10);
  });
});
