import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { readFile } from '@redoubt/file-formats/testing';

const table = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `${String(from + index)},name ${String(from + index)}\n`).join(
    '',
  );
const content = `id,name\n${table(5000)}`;

for (const [compression, compress, ending] of [
  ['gzip', gzipSync, 'gz'],
  ['zstd', zstdCompressSync, 'zst'],
] as const) {
  const fileName = `a.csv.${ending}`;

  test(`${compression}: the rows of the file inside, under any chunks`, async () => {
    for (const sizes of [[1, 2, 3], [100], [1_000_000]]) {
      const { opened, rows, error } = await readFile(compress(content), { fileName }, sizes);
      assert.equal(error, undefined);
      assert.equal(opened.format, 'csv');
      assert.deepEqual(opened.containers, [compression]);
      assert.equal(rows.length, 5000);
    }
  });

  test(`${compression}: all parts that are written one after another are read`, async () => {
    const parts = [
      compress(`id,name\n${table(10)}`),
      compress(''),
      compress(table(10, 10)),
      compress(table(10, 20)),
    ];
    for (const sizes of [[1], [7, 50], [1_000_000]]) {
      const { rows } = await readFile(Buffer.concat(parts), { fileName }, sizes);
      assert.equal(rows.length, 30);
    }
  });

  test(`${compression}: data that is cut off is an error after the rows before it`, async () => {
    const noise = Array.from(
      { length: 40_000 },
      (_, n) => `${String(n)},${String((n * 2654435761) % 4294967296)}\n`,
    );
    const whole = compress(`id,name\n${noise.join('')}`);
    const { rows, error } = await readFile(whole.subarray(0, -10), { fileName });
    assert.ok(rows.length > 0 && rows.length < 40_000);
    assert.match(String(error), /data is damaged or cut off/);
  });

  test(`${compression}: data that expands too much is rejected`, async () => {
    const bomb = compress(Buffer.alloc(30_000_000, 'x,y\n'));
    const { error } = await readFile(bomb, { fileName, limits: { maxExpansion: 100 } });
    assert.match(String(error), /grows to more than 100 times its size/);
    const large = await readFile(compress(content), { fileName, limits: { maxExpandedBytes: 1000 } }).catch(
      (cause: unknown) => ({ error: cause }),
    );
    assert.match(String(large.error), /more than 1000 bytes after decompression/);
  });
}

test('skippable frames of zstd are skipped', async () => {
  const skippable = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
  const parts = [zstdCompressSync('id,name\n1,x\n'), skippable, zstdCompressSync('2,y\n')];
  const { rows } = await readFile(Buffer.concat(parts), { fileName: 'a.csv.zst' });
  assert.equal(rows.length, 2);
});

test('compressed files nested too deeply are rejected', async () => {
  const twice = gzipSync(gzipSync('a,b\n1,2\n'));
  assert.equal((await readFile(twice, { fileName: 'a.csv.gz.gz' })).rows.length, 1);
  await assert.rejects(
    readFile(gzipSync(gzipSync(twice)), { fileName: 'a.csv.gz.gz' }),
    /may be inside each other 3 deep/,
  );
});
