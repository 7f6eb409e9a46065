import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  array,
  asyncProperty,
  assert as check,
  constantFrom,
  integer,
  jsonValue,
  nat,
  record,
  string,
  uint8Array,
} from 'fast-check';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { FileOptions } from './file-format.ts';
import { FileParseError } from './file-parse-error.ts';
import { makeTar, makeZip, readFile, type FileContent } from '@redoubt/file-formats/testing';

const sizes = array(integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
const cell = string({
  unit: constantFrom('a', 'é', '😀', '"', ',', ';', '\n', '\r', ' ', "'", '0', '\t', '|', '\0', '\\'),
  maxLength: 6,
});
const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const escaped = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

test('any table of texts that is written as CSV is read as it was, under any chunks', async () => {
  const table = integer({ min: 1, max: 5 }).chain((width) =>
    array(array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
  );
  await check(
    asyncProperty(
      table,
      constantFrom(',', ';', '\t', '|'),
      constantFrom('\n', '\r\n'),
      sizes,
      async (rows, delimiter, end, chunks) => {
        const content = rows.map((cells) => cells.map(quote).join(delimiter) + end).join('');
        const { json, rejects, error } = await readFile(
          content,
          { format: 'csv', delimiter, quote: '"', header: false, encoding: 'utf-8' },
          chunks,
        );
        assert.equal(error, undefined);
        assert.deepEqual(rejects, []);
        const read = json.map((row) => Object.values(JSON.parse(row) as object).map(String));
        assert.deepEqual(read, rows);
      },
    ),
    { numRuns: 300 },
  );
});

test('any table with escaped quotes is read as it was, under any chunks', async () => {
  const text = string({ unit: constantFrom('a', '"', '\\', ',', '\n', 'é'), maxLength: 8 });
  await check(
    asyncProperty(
      array(array(text, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 8 }),
      sizes,
      async (rows, chunks) => {
        const content = rows.map((cells) => `${cells.map(escaped).join(',')}\n`).join('');
        const options = { format: 'csv', delimiter: ',', quote: '"', escape: '\\', header: false };
        const { json, rejects } = await readFile(content, { ...options, encoding: 'utf-8' }, chunks);
        assert.deepEqual(rejects, []);
        assert.deepEqual(
          json.map((row) => Object.values(JSON.parse(row) as object)),
          rows,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('the rows of a table do not depend on chunks, whatever its bytes are', async () => {
  const text = string({ unit: constantFrom('a', '1', '"', '\\', ',', '\n', '\r', 'é', '\0'), maxLength: 60 });
  await check(
    asyncProperty(text, constantFrom('', '\\'), sizes, async (content, escape, chunks) => {
      const dialect = { delimiter: ',', quote: '"', escape };
      const options: Partial<FileOptions> = { format: 'csv', ...dialect, encoding: 'utf-8' };
      const whole = await readFile(content, options).catch(messageOf);
      assert.deepEqual(
        await readFile(content, options, chunks)
          .then(({ all }) => all)
          .catch(messageOf),
        'all' in whole ? whole.all : whole,
      );
    }),
    { numRuns: 500 },
  );
});

test('the offset and line of a row are those of its text', async () => {
  const line = array(constantFrom('a', '"b"', '"c\nd"', '', '"e""f"', '7'), { minLength: 2, maxLength: 3 });
  await check(
    asyncProperty(array(line, { minLength: 1, maxLength: 10 }), sizes, async (lines, chunks) => {
      const texts = lines.map((cells) => cells.join(','));
      const { all } = await readFile(
        `x,y\n${texts.join('\n')}\n`,
        { format: 'csv', header: true, delimiter: ',', quote: '"' },
        chunks,
      );
      assert.equal(all.length, texts.length);
      let offset = 4;
      for (const [index, text] of texts.entries()) {
        assert.equal(all[index]!.offset, offset);
        assert.equal(
          all[index]!.line,
          2 + texts.slice(0, index).join('\n').split('\n').length - (index === 0 ? 1 : 0),
        );
        offset += text.length + 1;
      }
    }),
    { numRuns: 200 },
  );
});

test('any records that are written as JSON are read as they were, as a list and as lines', async () => {
  const records = array(record({ k: jsonValue(), 'ü "': jsonValue() }), { maxLength: 8 });
  await check(
    asyncProperty(records, sizes, constantFrom(undefined, 2), async (values, chunks, indent) => {
      const list = await readFile(JSON.stringify(values, undefined, indent), { format: 'json' }, chunks);
      const texts = values.map((value) => JSON.stringify(value));
      assert.deepEqual(list.json, texts);
      const lines = await readFile(texts.map((text) => `${text}\n`).join(''), { format: 'ndjson' }, chunks);
      assert.deepEqual(lines.json, texts);
    }),
    { numRuns: 200 },
  );
});

const messageOf = (error: unknown): { message: string } => {
  assert.ok(
    error instanceof FileParseError,
    `${String(error)} ${error instanceof Error ? String(error.stack) : ''}`,
  );
  return { message: error.message };
};

const table = `id,name,note\n${Array.from({ length: 40 }, (_, n) => `${String(n)},"name ${String(n)}",é ""\n`).join('')}`;
const list = JSON.stringify(
  Array.from({ length: 40 }, (_, n) => ({ id: n, tags: ['a', { b: null }], text: 'é"\\' })),
  undefined,
  1,
);

test('damaged files end with a message for people or with rows and rejects, and nothing else', async () => {
  const files: [string, Buffer][] = [
    ['a.csv', Buffer.from(table)],
    ['a.csv', Buffer.from(table, 'latin1')],
    ['a.csv', Buffer.from(`\ufeff${table}`, 'utf16le')],
    ['a.json', Buffer.from(list)],
    ['a.ndjson', Buffer.from('{"a":1,"b":"é"}\n'.repeat(40))],
    ['a.geojson', Buffer.from(`{"type":"FeatureCollection","features":${list}}`)],
    ['a.xml', Buffer.from(`<l>${'<r a="1"><b>é &amp; x</b><![CDATA[<x>]]></r>\n'.repeat(20)}</l>`)],
    ['a.yaml', Buffer.from('- a: 1\n  b: [x, "y", {z: &q 1}]\n  c: *q\n'.repeat(10))],
    ['a.csv.gz', gzipSync(table)],
    ['a.json.zst', zstdCompressSync(list)],
    [
      'a.zip',
      await makeZip([
        { path: 'a.csv', content: table },
        { path: 'b.json', content: list, isStored: true },
      ]),
    ],
    [
      'a.tar',
      await makeTar([
        { path: 'a.csv', content: table },
        { path: 'b.json', content: list },
      ]),
    ],
  ];
  const change = record({ at: nat(), bit: nat(7) });
  await check(
    asyncProperty(
      constantFrom(...files),
      array(change, { maxLength: 4 }),
      nat(),
      async ([fileName, bytes], changes, cut) => {
        const damaged = Buffer.from(bytes.subarray(0, cut % 3 === 0 ? cut % bytes.length : bytes.length));
        for (const { at, bit } of changes) {
          const index = at % Math.max(1, damaged.length);
          if (damaged.length > 0) damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
        }
        const first = await readFile(damaged, { fileName }).catch(messageOf);
        if ('all' in first) checkRows(first);
      },
    ),
    { numRuns: 1500 },
  );
});

function checkRows({ all, rows, rejects, error }: FileContent): void {
  if (error !== undefined) messageOf(error);
  assert.equal(all.length, rows.length + rejects.length);
  for (const { json } of rows) {
    assert.ok(!/[\r\n]/.test(json));
    assert.ok(json.isWellFormed());
    const parsed: unknown = JSON.parse(json);
    assert.ok(typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed));
  }
}

test('bytes of any kind end with a message for people or with rows and rejects', async () => {
  await check(
    asyncProperty(
      uint8Array({ maxLength: 200 }),
      constantFrom('a.csv', 'a.json', 'a', 'a.xml', 'a.yaml', 'a.xlsx'),
      async (bytes, fileName) => {
        const read = await readFile(bytes, { fileName }).catch(messageOf);
        if ('all' in read) checkRows(read);
      },
    ),
    { numRuns: 1000 },
  );
});
