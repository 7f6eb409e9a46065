/* Shows: F-GET-/serve-media/{datasetId}-preview, E-Document-preview, L20 */
import { makePdf } from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createUploadFixture,
  sendRequest,
  type RecordFixture,
  type TestPerson,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';

const label = {
  securityLabeled: true,
  securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label: 'A' },
};

interface Words {
  width: number;
  height: number;
  words: { text: string; box: number[] }[];
}

describe('pictures and words of pages', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  /** A member who holds the attribute A. */
  let reader: TestPerson;
  let datasetId: string;
  let documentId: string;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    reader = await fixture.newReader('A');
  });
  after(() => server.close());

  beforeEach(async () => {
    datasetId = await fixture.dataset(['read', 'write', 'manage']);
    const parts = { processAsDocument: 'true', accessControlLabel: label };
    const files = { 'notice.pdf': makePdf(['Runway 27L closed', 'Until noon']) };
    const { jobId } = await uploads.upload(datasetId, files, parts, reader.token);
    const path = `/jobs/${jobId}/receipt`;
    const receipt = await fixture.call<{ files: { id: string }[] }>(200, 'GET', path, reader);
    documentId = receipt.files[0]?.id ?? '';
  });

  const getPage = <Body = Words>(status: number, page = 1, { token }: { token: string } = reader) =>
    fixture.call<Body>(
      status,
      'GET',
      `/document-pages/${datasetId}?documentId=${documentId}&page=${String(page)}`,
      {
        token,
      },
    );
  const lookup = <Body = { url: string }>(
    status: number,
    query = '',
    { token }: { token: string } = reader,
  ) =>
    fixture.call<Body>(
      status,
      'GET',
      `/serve-media/${datasetId}?documentId=${documentId}&preview=true${query}`,
      {
        token,
      },
    );
  const storedParts = () =>
    server.db.selectFrom('document_parts').where('file_id', '=', documentId).select('kind').execute();

  /** Gives the second page the label `A&B`. */
  const relabelSecondPage = async (both: TestPerson): Promise<void> => {
    const found = await fixture.post(
      '/query/lucene',
      JSON.stringify({ datasetId, expression: 'page:2', includeInternalFields: true }),
      reader,
    );
    const [page] = (JSON.parse(found.text) as { records: Record<string, string>[] }).records;
    await fixture.call(202, 'PATCH', `/storage/datasets/${datasetId}/labels`, {
      token: both.token,
      body: { recordIds: [page?.['_koverse_record_id']], label: 'A&B' },
    });
    await server.jobsSettled();
  };

  test('the words of a PDF page have boxes on its picture', async () => {
    const { width, height, words } = await getPage(200);
    assert.deepEqual(
      words.map(({ text }) => text),
      ['Runway', '27L', 'closed'],
    );
    const { url } = await lookup(200, '&page=1');
    const response = await fetch(url);
    assert.equal(response.headers.get('content-type'), 'image/jpeg');
    assert.equal(response.headers.get('content-security-policy'), "sandbox; default-src 'none'");
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const jpeg = Buffer.from(await response.arrayBuffer());
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    assert.deepEqual([jpeg.readUInt16BE(frame + 7), jpeg.readUInt16BE(frame + 5)], [width, height]);
    // The text begins 50 points from the left, of 612, and 42 from the top, of 792.
    const [left = 0, top = 0] = words[0]?.box ?? [];
    assert.ok(Math.abs(left - (50 / 612) * width) < 5, String(left));
    assert.ok(top > (25 / 792) * height && top < (42 / 792) * height, String(top));
    assert.deepEqual(
      (await getPage(200, 2)).words.map(({ text }) => text),
      ['Until', 'noon'],
    );
  });

  test('relabelling a page closes pictures and words to people who lack the label', async () => {
    const both = await fixture.newReader('A', 'B');
    const { url } = await lookup(200, '&page=1');
    assert.equal((await fetch(url)).status, 200);
    await getPage(200);
    await relabelSecondPage(both);
    assert.equal((await fetch(url)).status, 404);
    const hidden = await getPage<{ message: string }>(404);
    const hiddenPicture = await lookup<{ message: string }>(404);
    assert.equal((await getPage(200, 1, both)).words.length, 3);
    assert.equal((await fetch((await lookup(200, '', both)).url)).status, 200);
    const id = documentId;
    documentId = 'nothing';
    assert.equal(hidden.message, (await getPage<{ message: string }>(404)).message.replace(documentId, id));
    assert.equal(
      hiddenPicture.message,
      (await lookup<{ message: string }>(404)).message.replace(documentId, id),
    );
  });

  test('words of a page are not returned to people who lost the label while they were made', async () => {
    const loses = await fixture.newReader();
    const assignment = await fixture.assign(loses.id, 'A');
    const pending = sendRequest(
      server,
      'GET',
      `/document-pages/${datasetId}?documentId=${documentId}&page=2`,
      { token: loses.token },
    );
    await fixture.call(200, 'DELETE', `/attribute-assignments/${assignment}`);
    assert.equal((await pending).status, 404);
  });

  test('a video has a preview if ffmpeg is installed, and is otherwise like a document without pictures', async () => {
    const ffmpeg = ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg'].find((path) => existsSync(path));
    const video =
      ffmpeg === undefined
        ? Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1')
        : execFileSync(
            ffmpeg,
            '-loglevel error -f lavfi -i testsrc=duration=1:size=64x36:rate=5 -pix_fmt yuv420p -f mp4 -movflags frag_keyframe+empty_moov pipe:1'.split(
              ' ',
            ),
          );
    const parts = { processAsDocument: 'true', accessControlLabel: label };
    const { jobId } = await uploads.upload(datasetId, { 'tower.mp4': video }, parts, reader.token);
    const receipt = await fixture.call<{ files: { id: string }[] }>(
      200,
      'GET',
      `/jobs/${jobId}/receipt`,
      reader,
    );
    documentId = receipt.files[0]?.id ?? '';
    await getPage(404);
    if (ffmpeg === undefined) {
      await lookup(404);
      return;
    }
    const response = await fetch((await lookup(200)).url);
    assert.equal(response.headers.get('content-type'), 'video/webm');
    assert.equal(Buffer.from(await response.arrayBuffer()).toString('hex', 0, 4), '1a45dfa3');
  });

  test('a page that a document does not have is 404, and a page without preview is 400', async () => {
    await getPage(404, 3);
    await lookup(404, '&page=3');
    const path = `/serve-media/${datasetId}?documentId=${documentId}&page=1`;
    const { message } = await fixture.call<{ message: string }>(400, 'GET', path, reader);
    assert.match(message, /^page must not be sent without preview=true/);
  });

  test('a document query returns a small picture of the first page to people who see the whole document', async () => {
    const both = await fixture.newReader('A', 'B');
    const previewsOf = async ({ token }: { token: string }, more: object = {}): Promise<unknown[]> => {
      const previews = [];
      for (const [path, expression] of [
        ['/query/document/lucene', `document_id:"${documentId}"`],
        ['/query/document', `SELECT * FROM "${datasetId}"`],
      ] as const) {
        const { text } = await fixture.post(path, JSON.stringify({ datasetId, expression, ...more }), {
          token,
        });
        const { records } = JSON.parse(text) as { records: { page: number; previewBytes: string | null }[] };
        for (const { previewBytes } of records.toSorted((a, b) => a.page - b.page))
          previews.push(
            previewBytes === null ? null : Buffer.from(previewBytes, 'base64').toString('latin1', 6, 10),
          );
      }
      return previews;
    };
    assert.deepEqual(await previewsOf(reader), ['JFIF', null, 'JFIF', null]);
    assert.deepEqual(await previewsOf(reader, { credentialsSubset: [] }), []);
    await relabelSecondPage(both);
    assert.deepEqual(await previewsOf(reader), [null, null]);
    assert.deepEqual(await previewsOf(both), ['JFIF', null, 'JFIF', null]);
  });

  test('pictures and words are deleted with the last record', async () => {
    await getPage(200);
    await (await fetch((await lookup(200)).url)).arrayBuffer();
    assert.deepEqual((await storedParts()).map(({ kind }) => kind).toSorted(), ['page', 'words']);
    await fixture.call(202, 'POST', `/storage/datasets/${datasetId}/deleteRecords/query`, {
      token: reader.token,
      body: { query: '*:*' },
    });
    await server.jobsSettled();
    assert.deepEqual(await storedParts(), []);
    const left = readdirSync(server.filesFolder, { recursive: true, withFileTypes: true });
    assert.deepEqual(
      left.filter((entry) => entry.isFile() && entry.parentPath.includes(documentId)).map(({ name }) => name),
      [],
    );
    await lookup(404);
  });
});
