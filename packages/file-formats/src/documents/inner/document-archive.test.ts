import {
  bytesOf,
  makeDocx,
  makeMail,
  makePdf,
  makeZip,
  readDocumentRows,
  type PackedFile,
} from '@redoubt/file-formats/testing';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileLimits } from '../../file-limits.ts';
import { readInnerDocument } from './read-inner-document.ts';

/** The rows of an archive as path, name and format of the document that begins, and text or error. */
const rowsOf = async (
  files: readonly PackedFile[] | Buffer,
  limits: Partial<FileLimits> = {},
): Promise<string[]> => {
  const content = Buffer.isBuffer(files) ? files : await makeZip(files);
  const rows = await readDocumentRows(content, 'a.zip', { limits });
  return rows.map((row) => {
    if (row.kind === 'reject') return `reject ${String(row.file)} ${row.reason}`;
    const { text, error } = JSON.parse(row.json) as { text: string; error?: string };
    const { path = '', name = '', format = '' } = row.begins ?? {};
    return `${path} ${name} ${format} ${error ?? text.split('\n').at(-1) ?? ''}`;
  });
};

const nested = async (depth: number): Promise<Buffer> =>
  makeZip([{ path: 'in.zip', content: depth === 0 ? Buffer.from('end') : await nested(depth - 1) }]);

test('each file of an archive is a document, named by its path, also inside archives and mails', async () => {
  const inner = await makeZip([{ path: 'note.txt', content: 'a note' }]);
  const archive = await makeZip([
    { path: 'plans/plan.pdf', content: makePdf(['One', 'Two']) },
    { path: '__MACOSX/._plan.pdf', content: 'x' },
    { path: 'a.docx', content: await makeDocx(['Runway']) },
    { path: 'mail.eml', content: makeMail('Hi', [{ name: 'in.zip', content: inner }]) },
    { path: 'cut.pdf', content: makePdf(['One']).subarray(0, 200) },
  ]);
  const rows = await rowsOf(archive);
  assert.deepEqual(rows.slice(0, -1), [
    'z1 plans/plan.pdf pdf One',
    '   Two',
    'z3 a.docx docx Runway',
    'z4 mail.eml mail Hello',
    'z4/1 in.zip zip ',
    'z4/1/z1 note.txt text a note',
  ]);
  assert.match(rows.at(-1) ?? '', /^z5 cut\.pdf other the PDF is damaged/);
  for (const [path, expected] of [
    ['z4/1/z1', 'a note'],
    ['z4/1', inner.toString('latin1')],
  ] as const)
    assert.equal(
      Buffer.from((await readInnerDocument(bytesOf(archive), path)) ?? []).toString('latin1'),
      expected,
    );
  for (const path of ['z9', 'z0', 'z1/1', 'z1/z1', '1'])
    assert.equal(await readInnerDocument(bytesOf(archive), path).catch(() => undefined), undefined, path);
});

test('a file that cannot be unpacked is rejected alone, and in an archive inside a mail it says why', async () => {
  const archive = await makeZip([
    { path: 'a.txt', content: 'first', isStored: true },
    { path: 'b.txt', content: 'second', isStored: true },
    { path: 'large.txt', content: 'x'.repeat(2000) },
  ]);
  const damaged = Buffer.from(archive.toString('latin1').replace('first', 'fIrst'), 'latin1');
  const rows = await rowsOf(damaged, { maxDocumentBytes: 1000 });
  assert.match(rows[0] ?? '', /^reject a\.txt the file cannot be read: .*a checksum differs/);
  assert.equal(rows[1], 'z2 b.txt text second');
  assert.match(rows[2] ?? '', /^reject large\.txt .*more than 1000 bytes/);
  const mail = makeMail('Zip', [{ name: 'a.zip', content: damaged }]);
  const [, , first] = await readDocumentRows(mail, 'a.eml');
  assert.ok(first?.kind === 'row');
  assert.equal(first.begins?.format, 'other');
  assert.match(first.json, /a checksum differs/);
});

test('an archive that is an attack is refused', async () => {
  for (const path of ['../a.txt', '/etc/passwd', 'C:\\a.txt'])
    await assert.rejects(rowsOf([{ path, content: 'x' }]), /leaves its folder|damaged/);
  const many = Array.from({ length: 5 }, (_, index) => ({ path: `${String(index)}.txt`, content: 'x' }));
  await assert.rejects(rowsOf(many, { maxArchiveFiles: 4 }), /more than 4 files/);
  const bomb = [{ path: 'bomb.txt', content: Buffer.alloc(30_000_000) }];
  await assert.rejects(rowsOf(bomb, { maxExpansion: 100 }), /grows to more than 100 times/);
});

test('archives inside each other are read to a limit of depth, and count towards the documents of the outermost', async () => {
  const deep = await rowsOf(await nested(8));
  assert.match(deep.at(-1) ?? '', /other it is inside more than 5 documents/);
  assert.equal(deep.length, 6);
  const many = await makeZip(
    Array.from({ length: 3 }, (_, index) => ({ path: `${String(index)}.txt`, content: 'x' })),
  );
  const rows = await rowsOf(
    [
      {
        path: 'all.zip',
        content: await makeZip([0, 1].map((n) => ({ path: `${String(n)}.zip`, content: many }))),
      },
    ],
    { maxInnerDocuments: 6 },
  );
  assert.deepEqual(
    rows.map((row) => row.split(' ').slice(0, 3).join(' ')),
    [
      'z1 all.zip zip',
      'z1/z1 0.zip zip',
      'z1/z1/z1 0.txt text',
      'z1/z1/z2 1.txt text',
      'z1/z1/z3 2.txt text',
      'z1/z2 1.zip other',
    ],
  );
  assert.match(rows.at(-1) ?? '', /more than 1 files/);
});
