/* Shows: A-ingest-parts */
import { startServer, type TestServer } from '@redoubt/server/testing';
import { createRecordFixture, type RecordFixture, type TestPerson } from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

const named = (name: string): string => `content-disposition: form-data; name="${name}"`;

const part = (header: string, content: string): string => `--b\r\n${header}\r\n\r\n${content}\r\n`;

describe('uploads with a part that cannot be read', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let person: TestPerson;
  let datasetId: string;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    person = await fixture.newReader('A');
    datasetId = await fixture.dataset();
  });
  after(() => server.close());

  const label = JSON.stringify({
    securityLabeled: true,
    securityLabelInfo: {
      fields: ['label'],
      parserClassName: 'identity-parser',
      labelHandlingPolicy: 'ignore',
    },
  });
  /** The parts before the label. */
  const partsBefore = (path: string): string =>
    (path === '/uploads' ? part(named('datasetId'), datasetId) : '') +
    part(`${named('files')}; filename="rows.csv"`, 'n,label\r\n1,A\r\n');

  const send = (path: string, body: string) =>
    fixture.post(path, Buffer.from(body), {
      token: person.token,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
  const stored = async (): Promise<string[]> => {
    const entries = await readdir(server.filesFolder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };

  test('a label whose part is not understood is 400 in uploads and previews, and nothing is stored', async () => {
    const good = named('accessControlLabel');
    const headers: Record<string, string> = {
      'no header': '',
      'no Content-Disposition': 'content-type: text/plain',
      'no name': 'content-disposition: form-data',
      'an empty name': named(''),
      'a truncated name': named('accessControlLabe'),
      'a name of other case': named('AccessControlLabel'),
      'an extended name': "content-disposition: form-data; name*=utf-8''accessControlLabel",
      'two names': `${named('accessControlLabel')}; name="customMetadata"`,
      'a broken name': 'content-disposition: form-data; name="accessControlLabel',
      'another disposition': 'content-disposition: attachment; name="accessControlLabel"',
      'a line without a colon': `no colon\r\n${good}`,
      'a last line without a colon': `${good}\r\nno colon`,
      'a line feed alone': `x: 1\n${good}`,
      '3,000 lines': `${'x: 1\r\n'.repeat(3000)}${good}`,
      'a long header': `x: ${'y'.repeat(90_000)}\r\n${good}`,
      'two dispositions': `${good}\r\n${named('customMetadata')}`,
      'a file name': `${good}; filename="label.json"`,
      'an empty file name': `${good}; filename=""`,
      'an unknown transfer encoding': `${good}\r\ncontent-transfer-encoding: x-own`,
      base64: `${good}\r\ncontent-transfer-encoding: base64`,
      'nested parts': `${good}\r\ncontent-type: multipart/mixed; boundary=c`,
      JSON: `${good}\r\ncontent-type: application/json`,
      octets: `${good}\r\ncontent-type: application/octet-stream`,
      'an unknown character set': `${good}\r\ncontent-type: text/plain; charset=own`,
      'a form charset': named('_charset_'),
      'a prototype name': named('__proto__'),
    };
    const spooled = await stored();
    for (const path of ['/uploads', '/uploads/preview'])
      for (const [what, header] of Object.entries(headers)) {
        const { status, text } = await send(path, `${partsBefore(path)}${part(header, label)}--b--\r\n`);
        assert.equal(status, 400, `${path}, ${what}: ${text}`);
        assert.deepEqual(await stored(), spooled, `${path}, ${what}`);
      }
    const { data } = await fixture.call<{ data: unknown[] }>(200, 'GET', `/jobs?datasetId=${datasetId}`, {
      token: person.token,
    });
    assert.deepEqual(data, []);
  });

  test('a label outside of the boundaries is 400', async () => {
    const good = part(named('accessControlLabel'), label);
    const spooled = await stored();
    for (const path of ['/uploads', '/uploads/preview']) {
      const files = partsBefore(path);
      for (const body of [
        `${good.slice('--b\r\n'.length)}${files}--b--\r\n`,
        `${files}--b--\r\n${good}--b--\r\n`,
        `${files.slice(0, -2)}\n${good}--b--\r\n`,
        `${files.slice(0, -2)}\r${good}--b--\r\n`,
        `${files}--bb${good.slice('--b'.length)}--b--\r\n`,
        `${files}--b\r\n${named('customMetadata')}\r\n${good}--b--\r\n`,
      ]) {
        const { status, text } = await send(path, body);
        assert.equal(status, 400, `${path}: ${JSON.stringify(body)} ${text}`);
        assert.deepEqual(await stored(), spooled);
      }
    }
  });

  test('the same label in a part that is understood is obeyed', async () => {
    const path = '/uploads';
    const good = part(`${named('accessControlLabel')}\r\ncontent-type: text/plain; charset=UTF-8`, label);
    const { status, text } = await send(path, `\r\n${partsBefore(path)}${good}--b--\r\n`);
    assert.equal(status, 201, text);
    await server.jobsSettled();
    const rowsOf = async (token: string) =>
      (await fixture.post('/readInSequence', JSON.stringify({ datasetId, batchSize: -1 }), { token })).text;
    assert.match(await rowsOf(person.token), /"n":1/);
    assert.doesNotMatch(await rowsOf((await fixture.newReader('B')).token), /"n":1/);
  });

  test('a body without a usable boundary is 400', async () => {
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=b; boundary=c',
      `multipart/form-data; boundary=${'b'.repeat(71)}`,
      'multipart/mixed; boundary=b',
    ]) {
      const { status, text } = await fixture.post(
        '/uploads',
        Buffer.from(`${partsBefore('/uploads')}--b--\r\n`),
        { token: person.token, headers: { 'content-type': type } },
      );
      assert.equal(status, 400, `${type}: ${text}`);
    }
  });
});
