import {
  makeDocx,
  makeOdt,
  makePdf,
  makePptx,
  makeTar,
  makeZip,
  readDocument,
} from '@redoubt/file-formats/testing';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileParseError } from '../file-parse-error.ts';

const textsOf = async (content: string | Uint8Array, fileName: string) => {
  const { format, pages } = await readDocument(content, fileName);
  assert.deepEqual(
    pages.map(({ page }) => page),
    pages.map((_, index) => index + 1),
  );
  return [format, ...pages.map(({ text }) => text)];
};

/** Reads a file that cannot be read, and returns the message. */
const errorOf = async (content: string | Uint8Array, fileName: string): Promise<string> => {
  try {
    await readDocument(content, fileName);
  } catch (error) {
    assert.ok(error instanceof FileParseError, String(error));
    return error.message;
  }
  return assert.fail(`${fileName} can be read`);
};

test('each page of a PDF is a row with its text', async () => {
  const pdf = makePdf(['Runway 27L closed\nuntil noon', '', 'Taxiway (A) open']);
  assert.deepEqual(await textsOf(pdf, 'notice.pdf'), [
    'pdf',
    'Runway 27L closed\nuntil noon',
    '',
    'Taxiway (A) open',
  ]);
});

test('each slide of a presentation is a row', async () => {
  assert.deepEqual(await textsOf(await makePptx(['One', 'Two']), 'a.pptx'), ['pptx', 'One', 'Two']);
});

test('a document without pages is one row with its whole text', async () => {
  assert.deepEqual(await textsOf(await makeDocx(['Runway', 'closed']), 'a.docx'), ['docx', 'Runway\nclosed']);
  assert.deepEqual(await textsOf(await makeOdt(['Runway', 'open']), 'a.odt'), ['odt', 'Runway\nopen']);
  assert.deepEqual(await textsOf(String.raw`{\rtf1\ansi Runway \b 9\b0\par open}`, 'a.rtf'), [
    'rtf',
    'Runway 9\nopen',
  ]);
  assert.deepEqual(await textsOf('# Runway\r\n\r\n*open*\r\n', 'a.md'), ['text', '# Runway\n\n*open*\n']);
  assert.deepEqual(await textsOf('a,b\n1,2\n', 'a.csv'), ['text', 'a,b\n1,2\n']);
});

test('the text of a web page is what a browser shows', async () => {
  const html =
    '<!DOCTYPE html><html><head><title>T</title><style>p{}</style><script>secret()</script></head><body><h1>Runway</h1><p>open &amp; dry</p></body></html>';
  const [format, text] = await textsOf(html, 'a.html');
  assert.equal(format, 'html');
  assert.match(text ?? '', /Runway\s+open & dry/);
  assert.doesNotMatch(text ?? '', /secret|p\{/);
});

test('a mail has its header fields, its text and the names of its attachments', async () => {
  const mail = [
    'From: Ada <ada@example.com>',
    'To: tower@example.com, Bo <bo@example.com>',
    'Date: Mon, 02 Mar 2026 08:00:00 +0000',
    'Subject: =?utf-8?B?UnVud2F5IGNsb3NlZA==?=',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/html',
    '',
    '<p>Closed until <b>noon</b></p>',
    '--x',
    'Content-Type: application/pdf; name="plan.pdf"',
    'Content-Disposition: attachment; filename="plan.pdf"',
    '',
    'attached',
    '--x--',
    '',
  ].join('\r\n');
  const { format, pages } = await readDocument(mail, 'notice.txt');
  const [{ text } = { text: '' }, attached] = pages;
  assert.equal(format, 'mail');
  assert.deepEqual(attached, { page: 1, text: 'attached\n' });
  assert.match(text, /^From: Ada <ada@example.com>\nTo: tower@example.com, Bo <bo@example.com>\nDate: /);
  assert.match(text, /\nSubject: Runway closed\nAttachments: plan.pdf\n\nClosed until noon/);
});

test('images and videos are one row without text', async () => {
  assert.deepEqual(await textsOf(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'a.bin'), ['png', '']);
  assert.deepEqual(await textsOf(Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), 'a.mp4'), ['mp4', '']);
});

test('a text keeps its characters, except those that a record cannot hold', async () => {
  const german = 'Die Größe der Straße hängt von den Häusern ab, die über ihr stehen.';
  assert.deepEqual(await textsOf(Buffer.from(`${german}\r${german}`, 'latin1'), 'a.txt'), [
    'text',
    `${german}\n${german}`,
  ]);
  assert.deepEqual(await textsOf('a "quoted" \\ text\t', 'a.txt'), ['text', 'a "quoted" \\ text\t']);
});

test('a file that cannot be read names itself and says what to do', async () => {
  const docx = await makeDocx(['Runway']);
  const pdf = makePdf(['Runway']);
  const cases: [string | Uint8Array, string, RegExp][] = [
    [makePdf(['Runway'], { isEncrypted: true }), 'a.pdf', /a\.pdf.*protected by a password/],
    [pdf.subarray(0, 300), 'a.pdf', /a\.pdf.*damaged or cut off/],
    [docx.subarray(0, docx.length - 30), 'a.docx', /a\.docx.*damaged or cut off/],
    [await makeZip([{ path: 'word/document.xml', content: '<w:doc' }]), 'a.docx', /cannot be read as docx/],
    [
      await makeOdt(['Runway'], '<manifest><encryption-data/></manifest>'),
      'a.odt',
      /protected by a password/,
    ],
    [Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'a.doc', /before 2007.*not supported/],
    [await makeZip([]), 'a.zip', /contains no files/],
    [
      await makeZip([{ path: '[Content_Types].xml', content: '<x/>' }]),
      'a.vsdx',
      /kind that is not supported/,
    ],
    [await makeZip([{ path: 'xl/workbook.bin', content: '' }]), 'a.xlsb', /binary Excel workbook/],
    [await makeTar([{ path: 'a.pdf', content: pdf }]), 'a.tar', /tar archive\. Unpack it/],
    ['PAR1', 'a.parquet', /Send it without processAsDocument/],
    ['\0\x01\x02binary', 'a.bin', /its format is not supported/],
    ['', 'a.txt', /it is empty/],
  ];
  for (const [content, fileName, message] of cases)
    assert.match(await errorOf(content, fileName), message, fileName);
});

test('a page that is longer than a record ends the file', async () => {
  await assert.rejects(
    readDocument('x'.repeat(2_000_100), 'a.txt', { limits: { maxRowLength: 2_000_050 } }),
    /page 1 has more than 50 bytes/,
  );
});

test('a document that grows beyond the limit when unpacked is not read', async () => {
  const docx = await makeDocx(['x'.repeat(100_000)]);
  await assert.rejects(
    readDocument(docx, 'a.docx', { limits: { maxDocumentBytes: 50_000 } }),
    /more than 50000 bytes without its compression/,
  );
});
