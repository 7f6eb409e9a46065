/* Shows: A-stalled-readers */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { splitChunks, createStallCheck } from './disconnect-signal.ts';

const responseBytes = Buffer.alloc(64_000_000);

describe('clients of long responses', () => {
  let server: Server;
  before(async () => {
    server = createServer((_, reply) => {
      Readable.from(splitChunks([responseBytes]), { objectMode: false }).pipe(reply);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const get = async (): Promise<{ reader: Socket; serving: Socket }> => {
    const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
    reader.on('error', () => undefined);
    await once(reader, 'connect');
    reader.pause();
    const served = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    reader.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [, reply] = await served;
    assert.ok(reply.socket !== null);
    return { reader, serving: reply.socket };
  };

  test('a client that reads nothing of a pending response between two checks is disconnected', async () => {
    const { reader, serving } = await get();
    const checkStall = createStallCheck(serving);
    for (checkStall(); !serving.destroyed; checkStall()) await sleep(20);
    assert.ok(serving.bytesWritten < responseBytes.length);
    reader.destroy();
  });

  test('a client that reads a little between two checks is not disconnected', async () => {
    const { reader, serving } = await get();
    const checkStall = createStallCheck(serving);
    let chunks = 0;
    reader.on('data', () => {
      reader.pause();
      chunks += 1;
    });
    for (let round = 0; round < 10; round++) {
      const written = serving.bytesWritten;
      while (serving.bytesWritten === written) {
        reader.resume();
        await sleep(1);
      }
      checkStall();
      assert.equal(serving.destroyed, false);
    }
    assert.ok(chunks > 10);
    reader.destroy();
  });

  test('a client with nothing left to read is not disconnected', async () => {
    const { reader, serving } = await get();
    const checkStall = createStallCheck(serving);
    let bytes = 0;
    for await (const chunk of reader) {
      bytes += (chunk as Buffer).length;
      if (bytes > responseBytes.length && serving.writableLength === 0) break;
    }
    checkStall();
    checkStall();
    assert.ok(bytes > responseBytes.length);
  });
});
