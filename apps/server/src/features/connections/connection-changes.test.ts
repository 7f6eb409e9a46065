import type { Connection, ConnectionTest } from '@redoubt/contract';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { createRecordFixture, sendRequest, type RecordFixture, type TestPerson } from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';

interface ApiError {
  message: string;
  errors?: { field: string }[];
}

/** A host that records the headers of requests. */
const startHost = async (received: IncomingHttpHeaders[]): Promise<{ server: Server; url: string }> => {
  const server = createServer(({ url: path, headers }, response) => {
    received.push(headers);
    if (path === '/silent/') return;
    response.end('n\n1\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
};

describe('changes of stored connections', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let owner: TestPerson;
  const received = { own: [] as IncomingHttpHeaders[], other: [] as IncomingHttpHeaders[] };
  let own: Awaited<ReturnType<typeof startHost>>;
  let other: Awaited<ReturnType<typeof startHost>>;
  before(async () => {
    [own, other] = [await startHost(received.own), await startHost(received.other)];
    server = await startServer();
    fixture = await createRecordFixture(server);
    owner = await fixture.newReader('A');
  });
  after(async () => {
    await server.close();
    for (const { server: host } of [own, other]) {
      host.closeAllConnections();
      host.close();
    }
  });

  const send = <Body = Connection>(
    status: number,
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<Body> =>
    fixture.call<Body>(
      status,
      method,
      path,
      body === undefined ? { token: owner.token } : { token: owner.token, body },
    );
  const headers = { 'x-key': 'secret of the first host' };
  const create = (more: object = {}): Promise<Connection> =>
    send(201, 'POST', '/connections', {
      workspaceId: fixture.workspace.id,
      name: 'Addresses',
      type: 'URL',
      connectionInfo: { headers },
      allowed: { urlPrefixes: [`${own.url}/in/`] },
      ...more,
    });

  test('stored headers are sent to no origin that they were not sent for', async () => {
    const { id } = await create();
    const path = `/connections/${id}`;
    await send(200, 'PATCH', path, { allowed: { urlPrefixes: [`${own.url}/out/`] } });
    const scheme = own.url.replace('http:', 'https:');
    for (const url of [other.url, scheme]) {
      const allowed = { urlPrefixes: [`${own.url}/in/`, `${url}/in/`] };
      const refused = await send<ApiError>(400, 'PATCH', path, { allowed });
      assert.equal(refused.errors?.[0]?.field, 'connectionInfo');
      assert.match(refused.message, /must be sent when allowed names another origin/);
    }
    await send<ConnectionTest>(200, 'POST', `${path}/test`);
    assert.deepEqual(
      received.own.map((sent) => sent['x-key']),
      [headers['x-key']],
    );
    await send(200, 'PATCH', path, {
      allowed: { urlPrefixes: [`${other.url}/in/`] },
      connectionInfo: { headers: { 'x-key': 'of the other' } },
    });
    await send<ConnectionTest>(200, 'POST', `${path}/test`);
    assert.deepEqual(
      received.other.map((sent) => sent['x-key']),
      ['of the other'],
    );
  });

  test('a person can run two tests at once, and one ends when its client disconnects', async () => {
    const { id } = await create({ allowed: { urlPrefixes: [`${own.url}/silent/`] } });
    const path = `/connections/${id}/test`;
    const before = received.own.length;
    let open = 0;
    const closed = Promise.withResolvers<void>();
    own.server.on('request', (_request, response) => {
      open++;
      response.on('close', () => {
        if (--open === 0) closed.resolve();
      });
    });
    const client = new AbortController();
    const options = {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
      signal: client.signal,
    };
    const pending = [1, 2].map(() => fetch(`${server.url}${path}`, options).catch(() => undefined));
    while (received.own.length < before + 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = await send<ApiError>(429, 'POST', path);
    assert.match(refused.message, /too many tests of connections running/);
    client.abort();
    await Promise.all(pending);
    await closed.promise;
    const working = await create();
    const retry = () =>
      sendRequest(server, 'POST', `/connections/${working.id}/test`, { token: owner.token });
    while ((await retry()).status === 429);
  });

  test('a change keeps the minimum label that a concurrent request sets', async () => {
    const { id } = await create();
    const path = `/connections/${id}`;
    await fixture.assign(owner.id, 'B');
    for (const minimumLabel of ['A', 'B', 'A&B', 'A', 'B']) {
      const state = { isSet: false };
      const rename = async (name: string): Promise<void> => {
        while (!state.isSet) await send(200, 'PATCH', path, { name });
      };
      const renames = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map(rename);
      await send(200, 'PATCH', path, { minimumLabel });
      state.isSet = true;
      await Promise.all(renames);
      assert.equal((await send(200, 'GET', path)).minimumLabel, minimumLabel);
    }
  });
});
