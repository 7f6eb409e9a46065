import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { readParts } from './read-parts.ts';

interface ReadPart {
  name: string;
  fileName?: string;
  mediaType?: string;
  text: string;
}

/** Reads all parts of a body that arrives in chunks of this size. */
const readAll = async (body: string | Buffer, chunkBytes = Infinity, boundary = 'b'): Promise<ReadPart[]> => {
  const bytes = Buffer.from(body as string, 'utf8');
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += Math.min(chunkBytes, bytes.length))
      yield bytes.subarray(at, at + chunkBytes);
  };
  const parts: ReadPart[] = [];
  for await (const { name, fileName, mediaType, readText } of readParts(chunks(), boundary, () => undefined))
    parts.push({
      name,
      ...(fileName === undefined ? {} : { fileName }),
      ...(mediaType === undefined ? {} : { mediaType }),
      text: await readText(1000),
    });
  return parts;
};

const disposition = 'content-disposition: form-data; name="x"';
/** A body of one part with this header and text. */
const one = (header: string, text = 'v'): string => `--b\r\n${header}\r\n\r\n${text}\r\n--b--\r\n`;

test('parts are read the same however their bytes are cut into chunks', async () => {
  const file = '\r\n--\r\n-b\r\n--a\n\r--\r\r\n\r\n-- b --b\r\n-';
  const body = [
    '\r\n--b  \r\nContent-Disposition: form-data; name="x"\r\n\r\nvalue\r\n',
    '--b\r\nX-Other: 1\r\ncontent-type:text/plain;charset="UTF-8"\r\nCONTENT-DISPOSITION: form-data;\r\n name=y\r\n\r\n\r\n',
    `--b\r\ncontent-disposition: form-data; name="files"; filename="a.csv"\r\ncontent-transfer-encoding: binary\r\n\r\n${file}\r\n`,
    '--b--\r\n\r\n',
  ].join('');
  const expected = [
    { name: 'x', text: 'value' },
    { name: 'y', mediaType: 'text/plain', text: '' },
    { name: 'files', fileName: 'a.csv', text: file },
  ];
  for (const chunkBytes of [1, 2, 3, 5, 7, 16, 64, 100, Infinity])
    deepEqual(await readAll(body, chunkBytes), expected, `chunks of ${chunkBytes}`);
});

test('file names are read as browsers, curl and Python send them', async () => {
  for (const [sent, read] of [
    ['filename="naïve.csv"', 'naïve.csv'],
    ["filename*=utf-8''na%C3%AFve.csv", 'naïve.csv'],
    [`filename="naive.csv"; filename*=UTF-8''na%C3%AFve.csv`, 'naïve.csv'],
    [String.raw`filename="a\"b.csv"`, 'a"b.csv'],
    [String.raw`filename="C:\data\rows.csv"`, 'rows.csv'],
    ['filename="a%22b.csv"', 'a%22b.csv'],
    ['filename="../../etc/a;b=c.csv"', 'a;b=c.csv'],
    ['filename=plain.csv', 'plain.csv'],
    ['filename=".."', ''],
    ['filename=""', ''],
  ])
    deepEqual(
      await readAll(one(`${disposition}; ${sent}`)),
      [{ name: 'x', fileName: read, text: 'v' }],
      sent,
    );
});

test('text is decoded by the character set that its part names, and other bytes are 400', async () => {
  const latin = Buffer.concat([
    Buffer.from(`--b\r\n${disposition}\r\ncontent-type: text/plain; charset=ISO-8859-1\r\n\r\nZ`),
    Buffer.from([0xfc]),
    Buffer.from('rich\r\n--b--'),
  ]);
  deepEqual(await readAll(latin), [{ name: 'x', mediaType: 'text/plain', text: 'Zürich' }]);
  const undeclared = Buffer.from(latin.toString('latin1').replace('ISO-8859-1', 'utf-8'), 'latin1');
  await rejects(readAll(undeclared), /x must be text in "utf-8", got other bytes/);
  await rejects(readAll(one(`${disposition}\r\ncontent-type: text/plain; charset=klingon`)), /"klingon"/);
});

test('each part that is not understood is 400, at whatever place it stands', async () => {
  const good = `--b\r\n${disposition}\r\n\r\nv\r\n`;
  const headers: [string, RegExp][] = [
    ['', /must have the header Content-Disposition/],
    ['content-type: text/plain', /must have the header Content-Disposition/],
    ['content-disposition: form-data', /must be form-data with a name/],
    ['content-disposition: form-data; name=""', /must be form-data with a name/],
    ['content-disposition: form-data; filename="a.csv"', /must be form-data with a name/],
    ['content-disposition: form-data; nam="x"', /must be form-data with a name/],
    ["content-disposition: form-data; name*=utf-8''x", /must be form-data with a name/],
    ['content-disposition: form-data; name*0="x"', /must be form-data with a name/],
    [`${disposition}; name*=utf-8''y`, /without name\*, got both/],
    ['content-disposition: attachment; name="x"', /must be form-data with a name/],
    ['content-disposition: ; name="x"', /must begin with its type/],
    ['content-disposition: form-data name="x"', /must have parameters like/],
    ['content-disposition: form-data; name="x', /must have parameters like/],
    ['content-disposition: form-data; name="x"y', /must have parameters like/],
    ['content-disposition: form-data; name="x"; name="y"', /must have name once, got it twice/],
    ['content-disposition: form-data; name="x"; NAME="y"', /must have name once, got it twice/],
    [`${disposition}; filename="a"; filename="b"`, /must have filename once, got it twice/],
    [`${disposition}; filename*=latin1''a`, /filename\* must be like/],
    [`${disposition}; filename*=utf-8''%ff`, /filename\* must be like/],
    [`${disposition}\r\n${disposition}`, /must have content-disposition once, got it twice/],
    [`no colon\r\n${disposition}`, /each line of its header must be "name: value", got "no colon"/],
    [`${disposition}\r\nno colon`, /each line of its header must be "name: value", got "no colon"/],
    [`: empty\r\n${disposition}`, /each line of its header must be "name: value"/],
    [`two words: x\r\n${disposition}`, /each line of its header must be "name: value"/],
    ['content-disposition : form-data; name="x"', /each line of its header must be "name: value"/],
    [` ${disposition}`, /each line of its header|more than the boundary/],
    [`x: 1\n${disposition}`, /each line of its header must be "name: value"/],
    [`x: 1\r${disposition}`, /each line of its header must be "name: value"/],
    [`x: \0\r\n${disposition}`, /each line of its header must be "name: value"/],
    ['content-disposition: form-data; name="x\ny"', /each line of its header must be "name: value"/],
    [`${'x: 1\r\n'.repeat(2500)}${disposition}`, /at most 50 lines, got 2501/],
    [`${'x: 1\r\n'.repeat(3000)}${disposition}`, /has more than 16384 bytes/],
    [`x: ${'y'.repeat(17_000)}\r\n${disposition}`, /has more than 16384 bytes/],
    [`${disposition}\r\ncontent-transfer-encoding: base64`, /must be 7bit, 8bit, binary, got "base64"/],
    [`${disposition}\r\ncontent-transfer-encoding: quoted-printable`, /must be 7bit, 8bit, binary/],
    [`${disposition}\r\ncontent-transfer-encoding: x-own`, /must be 7bit, 8bit, binary/],
    [`${disposition}\r\ncontent-type: multipart/mixed; boundary=c`, /must not be multipart/],
    [`${disposition}\r\ncontent-type: text/plain\r\ncontent-type: text/html`, /content-type once/],
    [`${disposition}\r\ncontent-type: plain text`, /must have parameters like/],
  ];
  for (const [header, problem] of headers)
    for (const body of [one(header), `${good}${one(header)}`, `${one(header).slice(0, -6)}\r\n${good}--b--`])
      for (const chunkBytes of [7, Infinity])
        await rejects(
          readAll(body, chunkBytes),
          (error: Error & { code?: number }) => {
            equal(error.code, 400, header);
            match(error.message, problem, header);
            return true;
          },
          header,
        );
});

test('a body whose boundaries are not clear is 400', async () => {
  const part = `${disposition}\r\n\r\nv`;
  const cases: [string, RegExp][] = [
    ['', /ends before its last boundary/],
    ['--b', /ends before its last boundary/],
    [`--b\r\n${part}`, /ends before its last boundary/],
    [`--b\r\n${part}\r\n--b`, /ends before its last boundary/],
    [`--b\r\n${part}\r\n--b-`, /ends before its last boundary/],
    [`--b\r\n${disposition}`, /ends before its last boundary/],
    [`--B\r\n${part}\r\n--B--`, /ends before its last boundary|text before the first part/],
    [`text\r\n--b\r\n${part}\r\n--b--`, /text before the first part/],
    [`${disposition}\r\n\r\nv\r\n--b\r\n${part}\r\n--b--`, /text before the first part/],
    [`--b\r\n${part}\r\n--b--\r\n--b\r\n${part}\r\n--b--`, /text after the last part/],
    [`--b\r\n${part}\r\n--b--text`, /text after the last part/],
    [`--b\r\n${part}\r\n--bc\r\n${part}\r\n--b--`, /more than the boundary/],
    [`--b\r\n${part}\n--b\r\n${part}\r\n--b--`, /must begin after CR LF/],
    [`--b\r\n${part}\r--b\r\n${part}\r\n--b--`, /must begin after CR LF/],
    [`--b\r\n${disposition}\r\n\r\n\n--b\r\n${part}\r\n--b--`, /must begin after CR LF/],
    [`--b\r\n${disposition}\r\n\r\n--b\r\n${part}\r\n--b--`, /without an empty line after it/],
    [`--b\r\n${disposition}\r\n--b\r\n${part}\r\n--b--`, /more than the boundary/],
    [`--b\n${disposition}\n\nv\n--b--`, /more than the boundary|has more than|ends before/],
  ];
  for (const [body, problem] of cases)
    for (const chunkBytes of [1, 3, Infinity])
      await rejects(readAll(body, chunkBytes), problem, JSON.stringify(body));
  await rejects(readAll(`--b:c\r\nx: 1\r\n--b:c\r\n${part}\r\n--b:c--`, 5, 'b:c'), /more than the boundary/);
});

test('a text is rejected beyond its limit before more of it is read, and counted as it is kept', async () => {
  let kept = 0;
  let chunks = 0;
  const endless = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(`--b\r\n${disposition}\r\n\r\n`);
    for (;;) {
      chunks++;
      yield Buffer.alloc(100, 'x');
    }
  };
  for await (const part of readParts(endless(), 'b', (bytes) => (kept += bytes))) {
    await rejects(part.readText(1000), /x must have at most 1000 bytes, got more/);
    break;
  }
  equal(kept <= 1000 && kept > 800, true, String(kept));
  equal(chunks < 15, true, String(chunks));
});
