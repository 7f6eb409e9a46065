/* Shows: F-GET-/serve-media/{datasetId}-documentId, F-GET-/serve-media/{datasetId}-download, D-serve-media,
   E-MediaLookup-url, L20, L22, R-media-needs-documentId */
import { mediaSeconds } from '@redoubt/contract';
import { makePdf } from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createUploadFixture,
  type RecordFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const labelled = (label: string) => ({
  securityLabeled: true,
  securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label },
});

const pdf = makePdf(['One', 'Two', 'Three']);

const messageOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { message: string }).message;

describe('the files of documents', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  /** A member who holds the attribute A. */
  let reader: TestPerson;
  let datasetId: string;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    reader = await fixture.newReader('A');
  });
  after(() => server.close());

  /** Uploads a document with the label A to a new dataset. Returns its id. */
  const uploaded = async (
    files: Readonly<Record<string, string | Uint8Array>> = { 'Größe 1.pdf': pdf },
    parts: object = {},
  ): Promise<string> => {
    datasetId = await fixture.dataset(['read', 'write', 'manage']);
    const sent = { processAsDocument: 'true', accessControlLabel: labelled('A'), ...parts };
    const { jobId } = await uploads.upload(datasetId, files, sent, reader.token);
    const path = `/jobs/${jobId}/receipt`;
    const { files: found } = await fixture.call<{ files: { id: string }[] }>(200, 'GET', path, {
      token: reader.token,
    });
    return found[0]?.id ?? '';
  };
  const lookup = <Body>(
    status: number,
    documentId: string,
    { token = reader.token, download = '' } = {},
  ): Promise<Body> =>
    fixture.call<Body>(
      status,
      'GET',
      `/serve-media/${datasetId}?documentId=${encodeURIComponent(documentId)}${download}`,
      { token },
    );
  const urlOf = async (documentId: string, options: { token?: string; download?: string } = {}) =>
    (await lookup<{ url: string }>(200, documentId, options)).url;
  const queryIds = async (expression: string, token = reader.token): Promise<string[]> => {
    const body = JSON.stringify({ datasetId, expression, limit: -1, includeInternalFields: true });
    const { text } = await fixture.post('/query/lucene', body, { token });
    const { records } = JSON.parse(text) as { records: Record<string, unknown>[] };
    return records.map((record) => String(record['_koverse_record_id']));
  };

  const events = async (): Promise<number> => {
    const expression = `datasetId = '${datasetId}'`;
    const { total } = await fixture.call<{ total: number }>(200, 'POST', '/audit-log/query', {
      body: { datasetId, expression, limit: 0 },
    });
    return total;
  };

  test('the address of a file works alone, and sends its bytes, name and type in a sandbox', async () => {
    const id = await uploaded();
    const response = await fetch(await urlOf(id));
    assert.equal(response.status, 200);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), pdf);
    const headers = Object.fromEntries(response.headers);
    assert.equal(headers['content-type'], 'application/pdf');
    assert.equal(headers['content-length'], String(pdf.length));
    assert.equal(
      headers['content-disposition'],
      `inline; filename="Gr__e 1.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.pdf`,
    );
    assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'");
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    const attached = await fetch(await urlOf(id, { download: '&download=true' }));
    assert.match(String(attached.headers.get('content-disposition')), /^attachment; /);
  });

  test('a web page is sent as an attachment, whether or not it was asked for', async () => {
    const id = await uploaded({ 'a.html': '<html><body>Runway</body></html>' });
    const { headers } = await fetch(await urlOf(id));
    assert.match(String(headers.get('content-disposition')), /^attachment; /);
  });

  test('a part of a file is sent for a range, and a range behind its end is 416', async () => {
    const url = await urlOf(await uploaded());
    const part = await fetch(url, { headers: { range: 'bytes=5-8' } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 5-8/${String(pdf.length)}`);
    assert.equal(await part.text(), pdf.subarray(5, 9).toString('latin1'));
    const behind = await fetch(url, { headers: { range: `bytes=${String(pdf.length)}-` } });
    assert.deepEqual(
      [behind.status, behind.headers.get('content-range')],
      [416, `bytes */${String(pdf.length)}`],
    );
    const conditional = await fetch(url, { headers: { range: 'bytes=5-8', 'if-range': '"any"' } });
    assert.equal(conditional.status, 200);
    await conditional.arrayBuffer();
  });

  test('a file is as absent for a person who cannot see one page as a document that never was', async () => {
    const id = await uploaded();
    const stranger = await fixture.newReader('B');
    const absent = await lookup<{ message: string }>(404, 'nothing', { token: stranger.token });
    const hidden = await lookup<{ message: string }>(404, id, { token: stranger.token });
    assert.equal(hidden.message, absent.message.replace('nothing', id));
    const both = await fixture.newReader('A', 'B');
    const open = await urlOf(id);
    const [page] = await queryIds('page:2');
    await fixture.call(202, 'PATCH', `/storage/datasets/${datasetId}/labels`, {
      token: both.token,
      body: { recordIds: [page], label: 'A&B' },
    });
    await server.jobsSettled();
    assert.equal((await fetch(open)).status, 404);
    await lookup(404, id);
    assert.equal((await fetch(await urlOf(id, { token: both.token }))).status, 200);
  });

  test('a file whose page was deleted is closed to everybody, because its bytes still contain the page', async () => {
    const id = await uploaded();
    const open = await urlOf(id);
    await fixture.call(202, 'POST', `/storage/datasets/${datasetId}/deleteRecords/query`, {
      token: reader.token,
      body: { query: 'page:2' },
    });
    await server.jobsSettled();
    assert.equal((await queryIds('*:*')).length, 2);
    await lookup(404, id);
    assert.equal((await fetch(open)).status, 404);
  });

  test('a file whose page was replaced is closed to everybody, whatever label the new page has', async () => {
    const id = await uploaded();
    const open = await urlOf(id);
    const [page = ''] = await queryIds('page:2');
    const redacted = [{ _koverse_record_id: page, document_id: id, page: 2, text: '[redacted]' }];
    const { status } = await fixture.write(datasetId, redacted, { token: reader.token });
    assert.equal(status, 200);
    assert.equal((await queryIds('*:*')).length, 3);
    await lookup(404, id);
    assert.equal((await fetch(open)).status, 404);
  });

  test('a file that is being sent is cut when its person may no longer see it', async () => {
    const video = Buffer.alloc(30_000_000);
    video.write('ftypmp42', 4);
    const id = await uploaded({ 'tower.mp4': video });
    const person = await fixture.newReader();
    const assignment = await fixture.assign(person.id, 'A');
    const { body } = await fetch(await urlOf(id, { token: person.token }));
    assert.ok(body !== null);
    const stream = body.getReader();
    let received = (await stream.read()).value?.length ?? 0;
    assert.ok(received > 0);
    await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    server.runtime.clock.advance(60_000);
    await assert.rejects(async () => {
      for (let part = await stream.read(); !part.done; part = await stream.read())
        received += part.value.length;
    });
    assert.ok(received < video.length);
  });

  test('the audit log has the same event for a document that exists and for one that does not', async () => {
    const id = await uploaded();
    const before = await events();
    await lookup(200, id);
    const found = await events();
    assert.ok(found > before);
    await lookup(404, 'none');
    assert.equal((await events()) - found, found - before);
  });

  test('an open address ends with the attribute, the session and its time', async () => {
    const id = await uploaded();
    const person = await fixture.newReader();
    const assignment = await fixture.assign(person.id, 'A');
    const open = await urlOf(id, { token: person.token });
    assert.equal((await fetch(open)).status, 200);
    await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    const closed = await fetch(open);
    assert.equal(closed.status, 404);
    const changed = await fetch(`${open.slice(0, -3)}AAA`);
    assert.equal(changed.status, 404);
    assert.equal(await messageOf(closed), await messageOf(changed));
    await fixture.assign(person.id, 'A');
    assert.equal((await fetch(open)).status, 200);
    await fixture.call(200, 'DELETE', `/authentication/${person.token}`, { token: person.token });
    assert.equal((await fetch(open)).status, 404);
    const short = await urlOf(id);
    server.runtime.clock.advance((mediaSeconds - 1) * 1000);
    assert.equal((await fetch(short)).status, 200);
    server.runtime.clock.advance(1000);
    assert.equal((await fetch(short)).status, 404, 'after its time');
  });

  test('a document_id that somebody wrote opens nothing', async () => {
    const id = await uploaded();
    const body = [{ document_id: id, page: 1, text: 'forged' }];
    const stranger = await fixture.newReader('B');
    await fixture.write(datasetId, body, { token: stranger.token });
    await lookup(404, id, { token: stranger.token });
    assert.equal((await fetch(await urlOf(id))).status, 200);
    datasetId = await fixture.dataset(['read', 'write']);
    await fixture.write(datasetId, body, { token: reader.token });
    await lookup(404, id);
  });

  test('a labelled column of the document closes the file to people who cannot see it', async () => {
    const customMetadata = { tower: { name: 'north' } };
    const id = await uploaded(undefined, { customMetadata });
    assert.equal((await fetch(await urlOf(id))).status, 200);
    const columns = { columnSecurityLabelInfo: { 'tower.name': { securityLabel: 'B' } } };
    const { jobId } = await uploads.upload(datasetId, { 'a.csv': 'n\n1\n' }, columns, fixture.admin);
    assert.ok(jobId);
    await lookup(404, id);
    const both = await fixture.newReader('A', 'B');
    assert.equal((await fetch(await urlOf(id, { token: both.token }))).status, 200);
  });

  test('the files of tables are never sent', async () => {
    const table = await uploaded({ 'a.csv': 'n\n1\n' }, { processAsDocument: 'false' });
    await lookup(404, table);
  });

  test('a lookup needs the id of a document', async () => {
    await uploaded();
    const path = `/serve-media/${datasetId}`;
    const { message } = await fixture.call<{ message: string }>(400, 'GET', path, { token: reader.token });
    assert.match(message, /documentId/);
  });
});
