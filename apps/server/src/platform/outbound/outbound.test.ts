/* Shows: A-outbound-addresses, L30, L-hazard-ingest-addresses, A-ingest-no-map */
import { equal, match, ok, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createOutboundFetch, createOutboundSocket, OutboundError, findOutboundUrlError } from './index.ts';
import { checkedLookup } from './checked-lookup.ts';
import { isPublicAddress } from './public-addresses.ts';

test('private, loopback, link-local and embedded IPv4 addresses are not public', () => {
  for (const address of [
    '10.1.2.3',
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::1',
    'example.org',
    '',
  ]) {
    equal(isPublicAddress(address), false, address);
  }
  for (const address of ['8.8.8.8', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::8a'])
    equal(isPublicAddress(address), true, address);
});

/** The outcome of resolving the addresses of this machine. */
const resolveName = (mayCall: (address: string) => boolean, name = 'localhost'): Promise<string> =>
  new Promise((resolve) => {
    checkedLookup(mayCall)(name, { all: true }, (error, found) =>
      resolve(error === null ? JSON.stringify(found) : `${error.constructor.name}: ${error.message}`),
    );
  });

test('a host name with an address that may not be called is refused before any connection', async () => {
  equal(
    await resolveName(isPublicAddress),
    'OutboundError: The name localhost has no address, or has addresses that this server may not call',
  );
  match(await resolveName(() => true), /127\.0\.0\.1|::1/);
});

test('a host name without an address fails with the same error, after as many whole seconds, as one in a private network', async () => {
  const started = performance.now();
  const [internal, absent] = await Promise.all([
    resolveName(isPublicAddress, 'localhost'),
    resolveName(isPublicAddress, 'nowhere.invalid'),
  ]);
  equal(absent.replace('nowhere.invalid', 'localhost'), internal);
  ok(performance.now() - started >= 990);
});

test('a URL from a user must begin with https, and no spelling of it may lead into private networks', () => {
  equal(findOutboundUrlError('https://id.example.org/token', false), undefined);
  for (const address of [
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost/',
    'http://localhost/',
    'https://10.0.0.8/token',
    'https://169.254.169.254/latest/meta-data',
  ]) {
    match(findOutboundUrlError(address, false) ?? '', /private network/, address);
  }
  for (const address of ['http://id.example.org/', 'http://10.0.0.8/', 'http://localhost.example.org/']) {
    for (const allowsPrivate of [false, true])
      equal(findOutboundUrlError(address, allowsPrivate), 'must begin with https://', address);
  }
  for (const address of ['file:///etc/passwd', 'ftp://example.org/', 'gopher://x', 'id.example.org', '']) {
    match(findOutboundUrlError(address, true) ?? '', /that begins with https/, address);
  }
  match(findOutboundUrlError('https://a:b@id.example.org/', true) ?? '', /password/);
  match(findOutboundUrlError('https://id.example.org/#x', true) ?? '', /#/);
  equal(findOutboundUrlError('http://localhost:8080/', true), undefined);
  equal(findOutboundUrlError('https://10.0.0.8/', true), undefined);
});

describe('calling other hosts', () => {
  let server: Server;
  let url: string;
  let calls = 0;
  before(async () => {
    server = createServer((request, response) => {
      calls += 1;
      if (request.url === '/large') response.end(Buffer.alloc(1024 * 1024 + 1));
      else if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
      else request.pipe(response.writeHead(201, { 'x-seen': request.method ?? '' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  test('a call returns status, headers and body unchanged, and follows no redirect', async () => {
    const call = createOutboundFetch({ allowsPrivate: true });
    const response = await call(`${url}/echo`, { method: 'POST', body: new URLSearchParams({ a: 'b c' }) });
    equal(response.status, 201);
    equal(response.headers.get('x-seen'), 'POST');
    equal(await response.text(), 'a=b+c');
    const before = calls;
    equal((await call(`${url}/moved`)).status, 302);
    equal(calls, before + 1);
  });

  test('L30: if private addresses may not be called, names that resolve to them are not connected to', async () => {
    const call = createOutboundFetch({ allowsPrivate: false });
    const before = calls;
    const { port } = server.address() as AddressInfo;
    for (const target of [url, `http://localhost:${port}`, `https://localhost.:${port}/`])
      await rejects(call(target), OutboundError, target);
    equal(calls, before);
  });

  test('a response that is too large or missing is an error that names the host', async () => {
    const call = createOutboundFetch({ allowsPrivate: true });
    await rejects(call(`${url}/large`), /too large/);
    await rejects(call('http://127.0.0.1:1/'), /127\.0\.0\.1:1 did not respond/);
  });
});

/** The timer of a TCP connection with this local port, by the tables of Linux. */
const timerOf = async (port: number): Promise<{ kind: string; seconds: number }> => {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  const [kind = '', ticks = ''] = rows.find(([, address]) => address === local)?.[5]?.split(':') ?? [];
  return { kind, seconds: Number.parseInt(ticks, 16) / 100 };
};

test(
  'a connection to a database asks after a minute of silence whether the other side is still there',
  { skip: process.platform === 'linux' ? false : 'reads the tables of Linux' },
  async () => {
    const host = createServer().listen(0, '127.0.0.1');
    await once(host, 'listening');
    const socket = createOutboundSocket(true);
    try {
      socket.connect((host.address() as AddressInfo).port, '127.0.0.1');
      await once(socket, 'connect');
      const { kind, seconds } = await timerOf(socket.localPort ?? 0);
      equal(kind, '02', 'the timer that probes a silent connection');
      ok(seconds > 0 && seconds <= 60, `${String(seconds)} s`);
    } finally {
      socket.destroy();
      host.close();
    }
  },
);
