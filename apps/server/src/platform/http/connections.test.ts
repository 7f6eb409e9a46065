import { createTestRuntime, startServer } from '@redoubt/server/testing';
import { equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { connect as connectSecurely } from 'node:tls';
import { makeSelfSigned } from '../tls/self-signed.ts';

test('a server that stops answers what is being asked and waits for no connection on which nothing is asked', async () => {
  const server = await startServer();
  const heard = new Map<Socket, string>();
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    heard.set(socket, '');
    socket.on('data', (chunk: Buffer) => heard.set(socket, `${heard.get(socket)}${chunk.toString()}`));
    await once(socket, 'connect');
    return socket;
  };
  const hear = async (socket: Socket, text: RegExp): Promise<void> => {
    while (!text.test(heard.get(socket) ?? '')) await once(socket, 'data');
  };

  const silent = await open();
  const asked = await open();
  asked.write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n');
  await hear(asked, /"ok"/);
  const asking = await open();
  asking.write(
    'POST /users HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n',
  );
  await hear(asking, /100 Continue/);

  const ends = [silent, asked, asking].map((socket) => once(socket, 'end'));
  const closing = server.close();
  await ends[0];
  await ends[1];
  // Node's own limit for a connection without a request answers 408 on it.
  equal(heard.get(silent), '');
  asking.write('{}');
  await ends[2];
  match(heard.get(asking) ?? '', /HTTP\/1\.1 400 /);
  await closing;
});

test('a server that stops answers what is being asked by TLS, too', async () => {
  const { cert, key } = await makeSelfSigned(['localhost'], new Date(), createTestRuntime().random);
  const server = await startServer({ protection: { tls: { cert, key, selfSigned: true } } });
  const socket = connectSecurely({
    port: Number(new URL(server.url).port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
  });
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  await once(socket, 'secureConnect');
  socket.write(
    'POST /users HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n',
  );
  while (!heard.includes('100 Continue')) await once(socket, 'data');
  const ended = once(socket, 'close');
  const closing = server.close();
  socket.write('{}');
  await ended;
  match(heard, /HTTP\/1\.1 400 /);
  await closing;
});
