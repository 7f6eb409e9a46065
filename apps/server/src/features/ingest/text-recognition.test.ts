import { drawPage } from '@redoubt/file-formats';
import { makeScanPdf } from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createUploadFixture,
  type RecordFixture,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';

const scan = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../../../../testdata/scans/${name}`, import.meta.url)));

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
const expected = wordsOf(scan('phototest.gold.txt').toString('utf8'));

/** The share of the expected words that a text contains, each as often as expected. */
const shareOf = (text: string): number => {
  const left = wordsOf(text);
  const found = expected.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return found.length / expected.length;
};

interface Page {
  document_id: string;
  file_name: string;
  page: number;
  text: string;
}

interface Address {
  url: string;
}

interface Words {
  width: number;
  height: number;
  words: { text: string; box: [number, number, number, number] }[];
}

describe('text recognition', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  let datasetId: string;

  before(async () => {
    server = await startServer();
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
    datasetId = await fixture.dataset();
  });
  after(() => server.close());

  const pagesOf = async (expression: string): Promise<Page[]> => {
    const body = JSON.stringify({ datasetId, expression, limit: -1 });
    const { text } = await fixture.post('/query/lucene', body);
    return (JSON.parse(text) as { records: Page[] }).records;
  };
  const upload = (files: Record<string, Uint8Array>) =>
    uploads.upload(datasetId, files, { processAsDocument: 'true' });

  test('the text of a scan is stored, can be searched, and has its words on the upright picture', async () => {
    await upload({ 'sideways.png': scan('phototest-rotated-R.png') });
    const [page, ...others] = await pagesOf('text:"lazy fox" AND file_name:sideways.png');
    assert.ok(page !== undefined && others.length === 0);
    assert.ok(shareOf(page.text) >= 0.98, page.text);
    const query = `documentId=${page.document_id}`;
    const found = await fixture.call<Words>(200, 'GET', `/document-pages/${datasetId}?${query}&page=1`);
    assert.deepEqual([found.width, found.height], [640, 480]);
    const first = found.words[0];
    assert.equal(first?.text, 'This');
    const [left, top] = first.box;
    assert.ok(left < 60 && top > 60 && top < 120, JSON.stringify(first));
    const { url } = await fixture.call<Address>(
      200,
      'GET',
      `/serve-media/${datasetId}?${query}&preview=true`,
    );
    const picture = await fetch(url);
    assert.equal(picture.headers.get('content-type'), 'image/jpeg');
    const jpeg = Buffer.from(await picture.arrayBuffer());
    // The frame header of a JPEG has the height and the width.
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    assert.deepEqual([jpeg.readUInt16BE(frame + 5), jpeg.readUInt16BE(frame + 7)], [480, 640]);
  });

  test('PDF pages without text, JPG, PNG and TIFF files have their text recognised', async () => {
    const options = { fileName: 'a.tif', format: 'tiff', page: 1, maxSide: 640, turn: 0 } as const;
    const jpeg = (await drawPage(scan('phototest.tif'), options))?.jpeg ?? new Uint8Array();
    await upload({ 'a.tif': scan('phototest.tif'), 'a.jpg': jpeg, 'a.pdf': makeScanPdf(jpeg, 640, 480) });
    for (const name of ['a.tif', 'a.jpg', 'a.pdf']) {
      const [page] = await pagesOf(`file_name:${name}`);
      assert.ok(shareOf(page?.text ?? '') >= 0.98, `${name}: ${String(page?.text)}`);
    }
  });

  test('without Tesseract on the system, its copy in WebAssembly reads and turns the page', async () => {
    const other = await startServer({ avoidsTesseract: true });
    try {
      const owner = await createRecordFixture(other);
      const target = await owner.dataset();
      const files = { 'a.png': scan('phototest-rotated-L.png') };
      const parts = { processAsDocument: 'true' };
      await createUploadFixture(owner, other.jobsSettled).upload(target, files, parts);
      const body = JSON.stringify({ datasetId: target, expression: 'text:dog' });
      const { records } = JSON.parse((await owner.post('/query/lucene', body)).text) as { records: Page[] };
      assert.ok(shareOf(records[0]?.text ?? '') >= 0.98, records[0]?.text);
    } finally {
      await other.close();
    }
  });
});
