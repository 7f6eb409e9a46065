import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createHttpClient } from './http.ts';

test('responses of any form and any 2xx status are read completely, one after another on one connection', async () => {
  const connections = new Set<unknown>();
  const server = createServer((request, reply) => {
    connections.add(request.socket);
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (request.url === '/no') reply.writeHead(403).end('you may not');
      else if (request.url?.startsWith('/status/') === true) {
        reply.writeHead(Number(request.url.slice('/status/'.length))).end(body);
      } else if (request.url === '/whole') reply.end(body);
      else if (request.url === '/empty') reply.end();
      else if (request.url === '/no-chunks') reply.writeHead(200, { 'transfer-encoding': 'chunked' }).end();
      else {
        for (let at = 0; at < body.length; at += 1000) reply.write(body.slice(at, at + 1000));
        reply.end();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const http = createHttpClient(`http://127.0.0.1:${String(port)}`, 'token', 1);
  try {
    const long = JSON.stringify('é\r\n0\r\n\r\n'.repeat(20_000));
    for (const path of ['/whole', '/chunks'])
      for (const body of ['{}', long]) assert.equal((await http.post(path, body)).toString(), body);
    for (const path of ['/empty', '/no-chunks']) assert.equal((await http.post(path, '')).length, 0);
    for (const status of [200, 201, 202]) {
      assert.equal((await http.post(`/status/${String(status)}`, '{}')).toString(), '{}');
    }
    assert.equal((await http.post('/status/204', '')).length, 0);
    assert.equal(connections.size, 1);
    await assert.rejects(http.post('/no', ''), /POST \/no answered HTTP\/1\.1 403 [^]*you may not/);
  } finally {
    http.close();
    server.close();
  }
});
