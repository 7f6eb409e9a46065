import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { smallPieces, createStallCheck } from './disconnect-signal.ts';

const answer = Buffer.alloc(64_000_000);

describe('readers of long answers', () => {
  let server: Server;
  before(async () => {
    server = createServer((_, reply) => {
      Readable.from(smallPieces([answer]), { objectMode: false }).pipe(reply);
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

  test('a reader who takes nothing of a waiting answer between two looks is cut off', async () => {
    const { reader, serving } = await get();
    const look = createStallCheck(serving);
    for (look(); !serving.destroyed; look()) await sleep(20);
    assert.ok(serving.bytesWritten < answer.length);
    reader.destroy();
  });

  test('a reader who takes a little between two looks is not cut off', async () => {
    const { reader, serving } = await get();
    const look = createStallCheck(serving);
    let pieces = 0;
    reader.on('data', () => {
      reader.pause();
      pieces += 1;
    });
    for (let round = 0; round < 10; round++) {
      const written = serving.bytesWritten;
      while (serving.bytesWritten === written) {
        reader.resume();
        await sleep(1);
      }
      look();
      assert.equal(serving.destroyed, false);
    }
    assert.ok(pieces > 10);
    reader.destroy();
  });

  test('a reader for whom nothing waits is not cut off', async () => {
    const { reader, serving } = await get();
    const look = createStallCheck(serving);
    let bytes = 0;
    for await (const piece of reader) {
      bytes += (piece as Buffer).length;
      if (bytes > answer.length && serving.writableLength === 0) break;
    }
    look();
    look();
    assert.ok(bytes > answer.length);
  });
});
