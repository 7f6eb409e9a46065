/* Shows: A-clean-stop */
import { createTestRuntime, startServer } from '@redoubt/server/testing';
import { equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { connect as connectSecurely } from 'node:tls';
import { makeSelfSigned } from '../tls/self-signed.ts';

test('a stopping server responds to requests in flight and does not wait for idle connections', async () => {
  const server = await startServer();
  const received = new Map<Socket, string>();
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    received.set(socket, '');
    socket.on('data', (chunk: Buffer) => received.set(socket, `${received.get(socket)}${chunk.toString()}`));
    await once(socket, 'connect');
    return socket;
  };
  const waitFor = async (socket: Socket, text: RegExp): Promise<void> => {
    while (!text.test(received.get(socket) ?? '')) await once(socket, 'data');
  };

  const silent = await open();
  const idle = await open();
  idle.write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n');
  await waitFor(idle, /"ok"/);
  const inFlight = await open();
  inFlight.write(
    'POST /users HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n',
  );
  await waitFor(inFlight, /100 Continue/);

  const ends = [silent, idle, inFlight].map((socket) => once(socket, 'end'));
  const closing = server.close();
  await ends[0];
  await ends[1];
  // Node.js would respond 408 when its own timeout for connections without a request ends.
  equal(received.get(silent), '');
  inFlight.write('{}');
  await ends[2];
  match(received.get(inFlight) ?? '', /HTTP\/1\.1 400 /);
  await closing;
});

test('a stopping server responds to requests in flight over TLS, too', async () => {
  const { cert, key } = await makeSelfSigned(['localhost'], new Date(), createTestRuntime().random);
  const server = await startServer({ protection: { tls: { cert, key, selfSigned: true } } });
  const socket = connectSecurely({
    port: Number(new URL(server.url).port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
  });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  await once(socket, 'secureConnect');
  socket.write(
    'POST /users HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n',
  );
  while (!received.includes('100 Continue')) await once(socket, 'data');
  const ended = once(socket, 'close');
  const closing = server.close();
  socket.write('{}');
  await ended;
  match(received, /HTTP\/1\.1 400 /);
  await closing;
});
