/* Shows: A-columnar-files */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import {
  comparable,
  digitsOf,
  makeTar,
  makeZip,
  readFile,
  writeColumnarFiles,
} from '@redoubt/file-formats/testing';

const folder = mkdtempSync(join(tmpdir(), 'columnar-'));
const { missing: skip, paths } = await writeColumnarFiles(folder, 200);
after(() => rmSync(folder, { recursive: true }));

const expectedRows = (path: string): string[] =>
  readFileSync(`${path}.ndjson`, 'utf8').split('\n').slice(0, -1);

const pathOf = (name: string): string => join(folder, name);

describe('columnar files have the rows that the program which wrote them reads', { skip }, () => {
  for (const path of paths) {
    test(basename(path), async () => {
      const { opened, json, rejects, error } = await readFile(readFileSync(path), {
        fileName: basename(path),
      });
      assert.equal(error, undefined);
      assert.deepEqual(rejects, []);
      const expected = expectedRows(path);
      assert.equal(json.length, expected.length);
      for (const [index, row] of json.entries()) {
        assert.deepEqual(comparable(row), comparable(expected[index] ?? ''), `row ${String(index)}`);
      }
      assert.ok((opened.columns ?? []).length > 10);
    });
  }
});

describe('columnar files', { skip }, () => {
  test('integers and decimals beyond doubles keep their digits', async () => {
    const { json } = await readFile(readFileSync(pathOf('snappy.parquet')));
    const text = json.join('\n');
    for (const digits of [
      '18446744073709551615',
      '-9223372036854775808',
      '-9999999999999999999999999999.9999999999',
    ]) {
      assert.ok(text.includes(`:${digits}`), digits);
    }
  });

  test('columns are renamed, skipped and typed, and the names of nested keys stay', async () => {
    for (const name of ['snappy.parquet', 'lz4.feather', 'zlib.orc', 'null.avro']) {
      const isAvro = extname(name) === '.avro';
      const columns = [
        { name: isAvro ? 'long' : 'i64', rename: 'id', type: 'text' as const },
        { name: isAvro ? 'string' : 's', skip: true },
      ];
      const { json, opened } = await readFile(readFileSync(pathOf(name)), { columns });
      const expected = expectedRows(pathOf(name)).map(comparable);
      assert.deepEqual(
        json.map((row) => (JSON.parse(row) as Record<string, unknown>)['id']),
        expected.map((row) => digitsOf(row[isAvro ? 'long' : 'i64'])),
      );
      assert.ok(!(opened.columns ?? []).some((column) => column.name === 's' || column.name === 'string'));
    }
  });

  test('compressed and archived files are read like plain ones', async () => {
    for (const path of [
      pathOf('snappy.parquet'),
      pathOf('stream.arrow'),
      pathOf('zstd.orc'),
      pathOf('deflate.avro'),
    ]) {
      const bytes = readFileSync(path);
      const plain = (await readFile(bytes)).json;
      const name = basename(path);
      const packed = [
        gzipSync(bytes),
        zstdCompressSync(bytes),
        await makeZip([{ path: name, content: bytes }]),
        await makeTar([{ path: name, content: bytes }]),
      ];
      for (const content of packed)
        assert.deepEqual((await readFile(content, { fileName: name })).json, plain);
    }
  });

  test('a file that is cut off ends with an error that names it, after the rows before', async () => {
    for (const name of ['pages.parquet', 'stream.arrow', 'null.avro', 'snappy.orc', 'uncompressed.feather']) {
      const bytes = readFileSync(pathOf(name));
      const part = bytes.subarray(0, bytes.length - 1000);
      const message = await readFile(part, { fileName: name }).then(
        ({ error }) => String(error),
        (error: unknown) => String(error),
      );
      assert.match(message, new RegExp(`${name}: the \\w+ file is damaged or cut off`));
    }
    const { rows } = await readFile(readFileSync(pathOf('null.avro')).subarray(0, -1000));
    assert.ok(rows.length > 0);
  });
});
