import { equal, match, ok, rejects } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { readBody } from './body.ts';

test('a gzip body without an end is refused as soon as it is too large unpacked', async () => {
  const zeros = Buffer.alloc(1 << 20);
  let unpacked = 0;
  const endless = new Readable({
    read() {
      unpacked += zeros.length;
      this.push(zeros);
    },
  });
  const packed = endless.pipe(createGzip());
  await rejects(readBody(packed, 'gzip', 1_000_000), (error: Error & { code?: number }) => {
    equal(error.code, 413);
    match(error.message, /larger than 1000000 bytes \(unpacked\)/);
    return true;
  });
  endless.destroy();
  packed.destroy();
  ok(unpacked < 200 * zeros.length, `${unpacked} bytes were packed before the refusal`);
});

test('a body of exactly the limit is read, unpacked where it is gzip', async () => {
  const text = 'x'.repeat(1000);
  equal((await readBody(Readable.from([Buffer.from(text)]), undefined, 1000)).toString(), text);
  equal((await readBody(Readable.from([gzipSync(text)]), 'GZIP', 1000)).toString(), text);
});
