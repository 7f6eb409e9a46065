import {
  bytesOf,
  makeDocx,
  makeMail,
  makeMailbox,
  makePdf,
  readDocumentRows,
  type MailPart,
} from '@redoubt/file-formats/testing';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileLimits } from '../../file-limits.ts';
import type { RejectedRow, Row } from '../../file-format.ts';
import { readInnerDocument } from '../inner/read-inner-document.ts';

/** A row as path, name and format of the document that begins, page, and text or error. */
const shownRow = (row: Row | RejectedRow): string => {
  if (row.kind === 'reject') return `reject ${String(row.line)} ${String(row.offset)} ${row.reason}`;
  const { page, text, error } = JSON.parse(row.json) as { page: number; text: string; error?: string };
  const { path, name, format } = row.begins ?? {};
  const begins = path === undefined ? '' : `${path} ${String(name)} ${String(format)} `;
  return `${begins}${String(page)} ${error ?? text.split('\n').at(-1) ?? ''}`;
};

const rowsOf = async (
  content: string | Uint8Array,
  fileName: string,
  limits: Partial<FileLimits> = {},
  sizes?: readonly number[],
): Promise<string[]> => (await readDocumentRows(content, fileName, { limits }, sizes)).map(shownRow);

const nested = (depth: number): MailPart =>
  depth === 0
    ? { name: 'end.txt', content: 'the end' }
    : { type: 'message/rfc822', content: makeMail(`level ${String(depth)}`, [nested(depth - 1)], { depth }) };

const fiveMails = ['One', 'Two', 'Three', 'Four', 'Five'].map((subject) => makeMail(subject));

test('each attachment of a mail is a document, also of mails attached to it', async () => {
  const inner = makeMail('Inner', [{ name: 'deep.txt', content: 'deep text' }], {
    depth: 1,
    text: 'inner text',
  });
  const mail = makeMail('Outer', [
    { name: 'plan.pdf', content: makePdf(['One', 'Two']) },
    { name: 'a.docx', content: await makeDocx(['Runway']) },
    { type: 'message/rfc822', content: inner },
    { type: 'application/pdf', content: makePdf(['No name']) },
  ]);
  assert.deepEqual(await rowsOf(mail, 'a.eml'), [
    '1 Hello',
    '1 plan.pdf pdf 1 One',
    '2 Two',
    '2 a.docx docx 1 Runway',
    '3 attachment-3.eml mail 1 inner text',
    '3/1 deep.txt text 1 deep text',
    '4 attachment-4.pdf pdf 1 No name',
  ]);
  const bytes = await readInnerDocument(bytesOf(mail), '3/1');
  assert.equal(Buffer.from(bytes ?? []).toString(), 'deep text');
  for (const path of ['9', '1/1', '', 'x', 'm0-99999999', '3/1/1', `${'1/'.repeat(300)}1`])
    assert.equal(await readInnerDocument(bytesOf(mail), path), undefined, path);
});

test('a picture without a name that the mail shows is a part of its text, one with a name is a document', async () => {
  const mail = makeMail('Logo', [
    { type: 'image/gif', content: 'GIF89a', isInline: true },
    { type: 'image/gif', content: 'GIF89a', isInline: true, name: 'scan.gif' },
    { type: 'image/gif', content: 'GIF89a' },
  ]);
  assert.deepEqual(await rowsOf(mail, 'a.eml'), [
    '1 Hello',
    '2 scan.gif gif 1 ',
    '3 attachment-3.gif gif 1 ',
  ]);
});

test('names of attachments keep no folders, control characters or turned text', async () => {
  const mail = makeMail('Names', [
    { name: String.raw`..\\..\\etc/passwd.txt`, content: 'a' },
    { name: 'a\u0007\u202Efdp.exe', content: 'b' },
  ]);
  const names = (await readDocumentRows(mail, 'a.eml')).flatMap((row) =>
    row.kind === 'row' ? (row.begins?.name ?? []) : [],
  );
  assert.deepEqual(names, ['passwd.txt', 'afdp.exe']);
});

test('an attachment that cannot be read is a document whose row says why', async () => {
  const mail = makeMail('Damaged', [
    { name: 'cut.pdf', content: makePdf(['One']).subarray(0, 200) },
    { name: 'old.doc', content: Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1') },
    { name: 'none.txt', content: '' },
    { name: 'good.txt', content: 'good' },
  ]);
  const [, ...attachments] = await rowsOf(mail, 'a.eml');
  assert.match(attachments[0] ?? '', /^1 cut\.pdf other 1 the PDF is damaged or cut off/);
  assert.match(attachments[1] ?? '', /^2 old\.doc other 1 .*before 2007/);
  assert.match(attachments[2] ?? '', /^3 none\.txt other 1 it is empty/);
  assert.equal(attachments[3], '4 good.txt text 1 good');
});

test('a mail with too many attachments is refused, and so is one inside it', async () => {
  const many = Array.from({ length: 4 }, (_, index) => ({ name: `${String(index)}.txt`, content: 'x' }));
  await assert.rejects(
    rowsOf(makeMail('Many', many), 'a.eml', { maxInnerDocuments: 3 }),
    /more than 3 attachments/,
  );
  const inner = { type: 'message/rfc822', content: makeMail('Inner', many, { depth: 1 }) };
  const rows = await rowsOf(makeMail('Outer', [inner, { name: 'a.txt', content: 'a' }]), 'a.eml', {
    maxInnerDocuments: 4,
  });
  assert.equal(rows.length, 3);
  assert.match(
    rows[1] ?? '',
    /^1 attachment-1\.eml other 1 the mail and the mails inside it have more than 4/,
  );
  assert.equal(rows[2], '2 a.txt text 1 a');
});

test('mails inside each other are read to a limit of depth', async () => {
  const rows = await rowsOf(makeMail('Outer', [nested(6)], { depth: 7 }), 'a.eml');
  assert.equal(rows.length, 7);
  assert.match(rows[5] ?? '', /^1\/1\/1\/1\/1 attachment-1\.eml mail/);
  assert.match(rows[6] ?? '', /^1\/1\/1\/1\/1\/1 .* other 1 it is inside more than 5 documents/);
});

test('attachments that grow to too much text together are not read on', async () => {
  const docx = { name: 'a.docx', content: await makeDocx(['x'.repeat(30_000)]) };
  const rows = await rowsOf(makeMail('Bomb', [docx, docx, docx, docx]), 'a.eml', {
    maxDocumentBytes: 70_000,
  });
  assert.deepEqual(
    rows.map((row) => /more than 70000 bytes of text together/.test(row)),
    [false, false, false, true, true],
  );
});

test('each mail of a mailbox is a document with its attachments, under any chunks', async () => {
  const mailbox = makeMailbox([
    makeMail('One', [{ name: 'a.txt', content: 'attached' }]),
    makeMail('Two', [], {
      text: 'Dear all,\n\nFrom here on\n>From there\nFrom ada@example.com Mon Mar  2 08:00:00 2026',
    }),
    'From: a@example.com\nSubject: Three\n\nlast line',
  ]);
  const expected = [
    /^m46-\d+ mail-1\.eml mail 1 Hello$/,
    /^m46-\d+\/1 a\.txt text 1 attached$/,
    /^m\d+-\d+ mail-2\.eml mail 1 From ada@example\.com Mon Mar {2}2 08:00:00 2026$/,
    /^m\d+-\d+ mail-3\.eml mail 1 last line$/,
  ];
  for (const sizes of [[1], [2, 3, 5], [7, 50], [65_536]]) {
    const rows = await rowsOf(mailbox, 'a.mbox', {}, sizes);
    assert.equal(rows.length, expected.length);
    for (const [index, row] of rows.entries()) assert.match(row, expected[index] ?? /^$/);
  }
  const [, , second] = await readDocumentRows(mailbox, 'a.mbox');
  assert.ok(second?.kind === 'row');
  const { text } = JSON.parse(second.json) as { text: string };
  assert.match(text, /\n\nFrom here on\n>From there\nFrom ada/);
  const bytes = Buffer.from((await readInnerDocument(bytesOf(mailbox), second.begins?.path ?? '')) ?? []);
  assert.match(bytes.toString(), /^From: Ada[^]*\nFrom here on\n>From there\nFrom ada@example\.com Mon/);
});

test('a mailbox with the line ends of the internet, and without quotes, is split at its separator lines alone', async () => {
  const plain = [
    'From - Mon Mar 02 08:00:00 2026\r\nFrom: a@x.org\r\nSubject: One\r\n\r\nFrom here\r\n\r\nFrom now on, 2026 it is\r\n\r\n',
    'From 1767@xxx Mon Mar 02 08:00:00 +0000 2026\r\nFrom: b@x.org\r\nSubject: Two\r\n\r\nlast\r\n',
  ];
  assert.deepEqual(
    (await rowsOf(plain.join(''), 'a.mbox')).map((row) => row.replace(/^m\d+-\d+ /, '')),
    ['mail-1.eml mail 1 From now on, 2026 it is', 'mail-2.eml mail 1 last'],
  );
});

test('a mail of a mailbox that cannot be read is rejected alone, with its line and place', async () => {
  const many = Array.from({ length: 4 }, () => ({ name: 'a.txt', content: 'x' }));
  const mails = [
    makeMail('Good'),
    'This is no header\n\nand no mail',
    makeMail('Many', many),
    makeMail('Large', [], { text: 'x'.repeat(100_000) }),
    '',
    makeMail('Last'),
  ];
  const mailbox = makeMailbox(mails);
  const rows = await rowsOf(mailbox, 'a.mbox', { maxInnerDocuments: 3, maxDocumentBytes: 50_000 });
  const places = [...mailbox.toString('latin1').matchAll(/^From ada@example\.com .*\n/gm)].map(
    ({ index, 0: found }) => [mailbox.toString('latin1', 0, index).split('\n').length, index + found.length],
  );
  const place = (index: number): string => (places[index] ?? []).join(' ');
  assert.match(rows[0] ?? '', /mail-1\.eml mail 1 Hello$/);
  assert.equal(
    rows[1],
    `reject ${place(1)} the mail has no header. Mend the mailbox, or save the mail by itself.`,
  );
  assert.match(rows[2] ?? '', new RegExp(`^reject ${place(2)} .*more than 3 attachments`));
  assert.match(rows[3] ?? '', new RegExp(`^reject ${place(3)} the mail has more than 50000 bytes`));
  assert.match(rows[4] ?? '', new RegExp(`^reject ${place(4)} the mail has no header`));
  assert.match(rows[5] ?? '', /mail-6\.eml mail 1 Hello$/);
  assert.equal(rows.length, 6);
});

test('a mailbox inside a mail has no rejected rows, and its documents are inside it', async () => {
  const mail = makeMail('Box', [{ name: 'old.mbox', content: makeMailbox([makeMail('One'), 'no header']) }]);
  const rows = await rowsOf(mail, 'a.eml');
  assert.equal(rows[1], '1 old.mbox mbox 1 ');
  assert.match(rows[2] ?? '', /^1\/m46-\d+ mail-1\.eml mail 1 Hello$/);
  assert.match(rows[3] ?? '', /^1\/m\d+-\d+ mail-2\.eml other 1 the mail has no header/);
});

test('a large mailbox is read mail by mail', async () => {
  const portion = makeMailbox(fiveMails);
  const portions = 20_000;
  let mails = 0;
  let largest = 0;
  const { splitMailbox } = await import('./split-mailbox.ts');
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < portions; index++) yield portion;
  }
  for await (const entry of splitMailbox(chunks(), 1_000_000)) {
    mails++;
    largest = Math.max(largest, entry.raw.buffer.byteLength);
  }
  assert.equal(mails, 5 * portions);
  assert.ok(largest < 1_000_000, `one mail keeps ${String(largest)} bytes`);
});
