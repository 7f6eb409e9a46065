/* Shows: A-write-gzip-bomb */
import { equal, match, ok, rejects, throws } from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { maxJsonValues, parseJsonBody, readBody } from './body.ts';

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
  await rejects(
    readBody(compressed, 'gzip', 1_000_000, () => undefined),
    (error: Error & { code?: number }) => {
      equal(error.code, 413);
      match(error.message, /at most 1000000 bytes after decompression/);
      return true;
    },
  );
  endless.destroy();
  compressed.destroy();
  ok(decompressed < 200 * zeros.length, `${decompressed} bytes were compressed before the body was rejected`);
});

test('a body of exactly the limit is read, and decompressed if it is gzip', async () => {
  const text = 'x'.repeat(1000);
  equal(
    (await readBody(Readable.from([Buffer.from(text)]), undefined, 1000, () => undefined)).toString(),
    text,
  );
  equal((await readBody(Readable.from([gzipSync(text)]), 'GZIP', 1000, () => undefined)).toString(), text);
});

test('a body that arrives byte by byte is kept as one buffer, and counted by its bytes', async () => {
  const text = 'x'.repeat(5000) + 'y'.repeat(3);
  const long = Buffer.alloc(2000, 'z');
  const chunks = [...Array.from(text, (letter) => Buffer.from(letter)), long, Buffer.from('end')];
  let kept = 0;
  const body = await readBody(Readable.from(chunks), undefined, 10_000, (bytes) => (kept += bytes));
  equal(body.toString(), `${text}${long.toString()}end`);
  equal(kept, body.length);
});

const list = (length: number): Buffer => Buffer.from(JSON.stringify(Array.from({ length }, () => 1)));

test('a JSON body of too many values is rejected before it is parsed, whatever its strings contain', () => {
  equal((parseJsonBody(list(maxJsonValues)) as unknown[]).length, maxJsonValues);
  for (const body of [list(maxJsonValues + 1), Buffer.from('['.repeat(maxJsonValues + 1))])
    throws(
      () => parseJsonBody(body),
      (error: Error & { code?: number }) => error.code === 413 && /at most 100000 values/.test(error.message),
    );
  const text = { text: ',[{\\",\\\\'.repeat(maxJsonValues), more: '\\' };
  equal((parseJsonBody(Buffer.from(JSON.stringify(text))) as typeof text).text, text.text);
});
