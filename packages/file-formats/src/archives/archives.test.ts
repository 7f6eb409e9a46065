import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeTar, makeZip, readFile } from '@redoubt/file-formats/testing';

const files = [
  { path: 'data/a.csv', content: 'id,name\n1,x\n2,y\n' },
  { path: 'b.json', content: '[{"b":1},\n{"b":2}]' },
  { path: '__MACOSX/data/._a.csv', content: 'x' },
  { path: 'c.csv.gz', content: gzipSync('c\n5\n') },
];
const expected = [
  ['data/a.csv', 2, '{"id":1,"name":"x"}'],
  ['data/a.csv', 3, '{"id":2,"name":"y"}'],
  ['b.json', 1, '{"b":1}'],
  ['b.json', 2, '{"b":2}'],
  ['c.csv.gz', 2, '{"c":5}'],
];

for (const [format, make] of [
  ['zip', makeZip],
  ['tar', makeTar],
] as const) {
  const fileName = `a.${format}`;

  test(`${format}: the rows of all files inside, with their paths`, async () => {
    for (const sizes of [[3, 500], [100_000]]) {
      const { opened, rows, rejects, error } = await readFile(await make(files), { fileName }, sizes);
      assert.equal(error, undefined);
      assert.equal(opened.format, format);
      assert.deepEqual(
        opened.columns?.map(({ name }) => name),
        ['id', 'name'],
      );
      assert.deepEqual(
        rows.map(({ file, line, json }) => [file, line, json]),
        expected,
      );
      assert.deepEqual(rejects, []);
    }
  });

  test(`${format}: a file that cannot be read is a reject, and the others are stored`, async () => {
    const { rows, rejects } = await readFile(
      await make([
        { path: 'photo.png', content: Buffer.from('\x89PNG\r\n', 'latin1') },
        { path: 'cut.json', content: '[{"a":1},\n{"a":2' },
        { path: 'ok.csv', content: 'a\n3\n' },
      ]),
      { fileName },
    );
    assert.deepEqual(
      rows.map(({ file, json }) => [file, json]),
      [
        ['cut.json', '{"a":1}'],
        ['ok.csv', '{"a":3}'],
      ],
    );
    assert.deepEqual(
      rejects.map(({ file, line }) => [file, line]),
      [
        ['photo.png', 0],
        ['cut.json', 2],
      ],
    );
    assert.match(rejects[1]!.reason, /cannot be read from here on: invalid JSON: .*the text ends/);
  });

  test(`${format}: a table inside without a required column is a reject, wherever it is`, async () => {
    const { rows, rejects } = await readFile(
      await make([
        { path: 'none.csv', content: 'n,labell\n1,A\n' },
        { path: 'ok.csv', content: 'n,label\n2,A\n' },
        { path: 'late.csv', content: 'n,labell\n3,A\n' },
        { path: 'own.json', content: '[{"n":4}]' },
      ]),
      { fileName, requiredColumns: [{ name: 'label', namedBy: 'securityLabelInfo.fields' }] },
    );
    assert.deepEqual(
      rows.map(({ file, json }) => [file, json]),
      [
        ['ok.csv', '{"n":2,"label":"A"}'],
        ['own.json', '{"n":4}'],
      ],
    );
    assert.deepEqual(
      rejects.map(({ file }) => file),
      ['none.csv', 'late.csv'],
    );
    assert.match(rejects[1]!.reason, /it has no column "label", which securityLabelInfo\.fields names/);
  });

  test(`${format}: large files inside are read in a stream`, async () => {
    const content = `id,text\n${Array.from({ length: 60_000 }, (_, n) => `${String(n)},row ${String(n)}\n`).join('')}`;
    const { rows, rejects, error } = await readFile(
      await make([
        { path: 'a.csv', content },
        { path: 'b.csv', content },
      ]),
      { fileName },
    );
    assert.equal(error, undefined);
    assert.equal(rejects.length, 0);
    assert.equal(rows.length, 120_000);
  });

  test(`${format}: an archive with a path outside its folder is rejected`, async () => {
    for (const path of ['../a.csv', 'a/../../b.csv', '/etc/a.csv']) {
      const archive = await make([{ path, content: 'a\n1\n' }]);
      await assert.rejects(
        readFile(archive, { fileName }),
        /leaves its folder|invalid relative path|absolute path/,
      );
    }
  });

  test(`${format}: an archive with too many files is rejected`, async () => {
    const archive = await make(files);
    await assert.rejects(
      readFile(archive, { fileName, limits: { maxArchiveFiles: 2 } }).then(({ error }) => {
        throw error;
      }),
      /more than 2 files/,
    );
  });

  test(`${format}: an archive that is cut off is an error`, async () => {
    const archive = await make(files);
    const { error } = await readFile(archive.subarray(0, format === 'zip' ? -10 : 700), { fileName }).catch(
      (cause: unknown) => ({
        error: cause,
      }),
    );
    assert.match(String(error), /damaged or cut off/);
  });

  test(`${format}: an archive without files is an error`, async () => {
    await assert.rejects(readFile(await make([]), { fileName: 'a.zip' }), /no files|recognised/);
  });

  test(`${format}: an archive that expands too much is rejected, whatever its other files are`, async () => {
    const archive = gzipSync(
      await make([
        { path: 'ok.csv', content: 'a\n1\n' },
        { path: 'zeros.csv', content: Buffer.alloc(30_000_000, 'x\n') },
      ]),
    );
    const { error } = await readFile(archive, {
      fileName: `${fileName}.gz`,
      limits: { maxExpansion: 50 },
    }).catch((cause: unknown) => ({ error: cause }));
    assert.match(String(error), /grows to more than 50 times its size/);
  });
}

test('a file of a zip archive whose checksum differs is an error', async () => {
  const archive = await makeZip([{ path: 'a.csv', content: 'a\n1\n', isStored: true }]);
  const at = archive.indexOf('a\n1\n');
  archive.write('a\n7\n', at);
  const { rejects } = await readFile(archive, { fileName: 'a.zip' });
  assert.match(rejects[0]!.reason, /a checksum differs/);
});

test('a compressed tar archive is an archive', async () => {
  const { opened, rows } = await readFile(gzipSync(await makeTar(files)), { fileName: 'a.tgz' });
  assert.deepEqual([opened.format, opened.containers, rows.length], ['tar', ['gzip'], 5]);
});

test('an archive in an archive is read up to a depth', async () => {
  const inner = await makeZip([{ path: 'a.csv', content: 'a\n1\n' }]);
  const outer = await makeTar([{ path: 'in.zip', content: inner }]);
  const { rows } = await readFile(outer, { fileName: 'a.tar' });
  assert.deepEqual(
    rows.map(({ file }) => file),
    ['in.zip/a.csv'],
  );
  const { rejects } = await readFile(outer, { fileName: 'a.tar', limits: { maxArchiveDepth: 1 } });
  assert.match(rejects[0]!.reason, /inside each other 1 deep/);
});

test('links in a tar archive are rejected', async () => {
  const archive = await makeTar([{ path: 'link.csv', content: '', linkTo: '/etc/passwd' }]);
  const { rejects } = await readFile(archive, { fileName: 'a.tar' });
  assert.match(rejects[0]!.reason, /it is a symlink, which is not followed/);
});
