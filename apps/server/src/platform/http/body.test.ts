/* Shows: A-write-gzip-bomb */
import { equal, match, ok, rejects } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { readBody } from './body.ts';

test('an endless gzip body is rejected as soon as it is too large when decompressed', async () => {
  const zeros = Buffer.alloc(1 << 20);
  let decompressed = 0;
  const endless = new Readable({
    read() {
      decompressed += zeros.length;
      this.push(zeros);
    },
  });
  const compressed = endless.pipe(createGzip());
  await rejects(readBody(compressed, 'gzip', 1_000_000), (error: Error & { code?: number }) => {
    equal(error.code, 413);
    match(error.message, /at most 1000000 bytes after decompression/);
    return true;
  });
  endless.destroy();
  compressed.destroy();
  ok(decompressed < 200 * zeros.length, `${decompressed} bytes were compressed before the body was rejected`);
});

test('a body of exactly the limit is read, and decompressed if it is gzip', async () => {
  const text = 'x'.repeat(1000);
  equal((await readBody(Readable.from([Buffer.from(text)]), undefined, 1000)).toString(), text);
  equal((await readBody(Readable.from([gzipSync(text)]), 'GZIP', 1000)).toString(), text);
});
