/* Shows: A-columnar-files */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { comparable, readFile, readOrcFiles, sumParquet } from '@redoubt/file-formats/testing';
import { openFile } from '../open-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'real-files-'));
after(() => rmSync(folder, { recursive: true }));
const { missing: skip, paths } = await readOrcFiles(folder);

const vegaPath = (name: string): string =>
  join(dirname(fileURLToPath(import.meta.resolve('vega-datasets'))), '../data', name);
const vegaFile = (name: string): Buffer => readFileSync(vegaPath(name));

describe('the ORC files of pyarrow have the rows that pyarrow reads', { skip }, () => {
  for (const path of paths) {
    test(basename(path), async () => {
      const { json, rejects, error } = await readFile(readFileSync(path), { fileName: basename(path) });
      assert.equal(error, undefined);
      assert.deepEqual(rejects, []);
      const expected = readFileSync(join(folder, `${basename(path)}.ndjson`), 'utf8')
        .split('\n')
        .slice(0, -1);
      assert.equal(json.length, expected.length);
      for (const [index, row] of json.entries()) {
        assert.deepEqual(comparable(row), comparable(expected[index] ?? ''), `row ${String(index)}`);
      }
    });
  }
});

test('200,000 flights in Arrow are those of the JSON file beside it', async () => {
  const { json } = await readFile(vegaFile('flights-200k.arrow'), { fileName: 'flights.arrow' });
  const expected = JSON.parse(vegaFile('flights-200k.json').toString()) as Record<string, number>[];
  assert.equal(json.length, expected.length);
  for (const [index, row] of json.entries()) {
    const read = JSON.parse(row) as Record<string, number>;
    for (const [name, value] of Object.entries(expected[index] ?? {})) {
      // The columns of the file are floats of 32 bits.
      assert.equal(Math.fround(read[name] ?? NaN), Math.fround(value), `row ${String(index)}, ${name}`);
    }
  }
});

test('3,000,000 flights in Parquet have the sums that pyarrow computes', { skip }, async () => {
  const path = vegaPath('flights-3m.parquet');
  const bytes = readFileSync(path);
  const expected = await sumParquet(folder, path);
  const opened = await openFile(
    {
      size: bytes.length,
      readAt: (offset, length) => bytes.subarray(offset, offset + length),
      async *stream(from = 0) {
        yield bytes.subarray(from);
      },
    },
    { fileName: 'flights.parquet' },
  );
  const sums: Record<string, number> = Object.fromEntries(
    Object.keys(expected.sums).map((name) => [name, 0]),
  );
  let rows = 0;
  for await (const batch of opened.rows()) {
    for (const row of batch) {
      assert.equal(row.kind, 'row');
      const values = JSON.parse(row.json) as Record<string, number | null>;
      for (const name of Object.keys(sums)) sums[name] = (sums[name] ?? 0) + (values[name] ?? 0);
      rows++;
    }
  }
  assert.deepEqual({ rows, sums }, expected);
});
