/* Shows: F-GET-/serve-media/{datasetId}-preview, F-POST-/ingest-ocrLanguages, K-ocr-files */
import { drawPage } from '@redoubt/file-formats';
import { makePdf, makeScanPdf } from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  createUploadFixture,
  readTestEffort,
  type RecordFixture,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';

/** Whether each format is read in each orientation, and not in one alone. */
const readsAll = readTestEffort('REDOUBT_OCR_ORIENTATIONS', 0) > 0;
const turnsOfFormat: Readonly<Record<string, string>> = { png: 'left', tif: 'right', pdf: 'down' };

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

  test('pages in all four orientations are read from PNG, TIFF and PDF files', async () => {
    const turned = { left: 'rotated-L', right: 'rotated-R', down: 'rotated-180' };
    const files: Record<string, Uint8Array> = {};
    for (const [name, suffix] of Object.entries(turned)) {
      const png = scan(`phototest-${suffix}.png`);
      const page = { fileName: 'a.png', format: 'png', page: 1, maxSide: 640, turn: 0 } as const;
      const [width, height] = name === 'down' ? [640, 480] : [480, 640];
      const jpeg = (await drawPage(png, page))?.jpeg ?? new Uint8Array();
      const formats = {
        png,
        tif: await sharp(png).tiff({ compression: 'lzw' }).toBuffer(),
        pdf: makeScanPdf(jpeg, width, height),
      };
      for (const [format, content] of Object.entries(formats))
        if (readsAll || turnsOfFormat[format] === name) files[`${name}.${format}`] = content;
    }
    await upload(files);
    for (const name of Object.keys(files)) {
      const [page] = await pagesOf(`file_name:${name}`);
      assert.ok(shareOf(page?.text ?? '') >= 0.98, `${name}: ${String(page?.text)}`);
    }
  });

  test('a language that a request names is read with its own letters, and one that is not installed is named', async () => {
    const letters = 'Élève très âgé à Besançon, où le château coûte cher';
    const pdf = makePdf([letters.replaceAll(', ', '\n')]).toString('latin1');
    const page = Buffer.from(
      pdf
        .replace('/Helvetica', '/Helvetica /Encoding /WinAnsiEncoding')
        .replace('[0 0 612 792]', '[0 690 420 792]'),
      'latin1',
    );
    const options = { fileName: 'a.pdf', format: 'pdf', page: 1, maxSide: 1200, turn: 0 } as const;
    const jpeg = (await drawPage(page, options))?.jpeg ?? new Uint8Array();
    const sent = { processAsDocument: 'true', ocrLanguages: '["fra","eng"]' };
    const { job } = await uploads.upload(datasetId, { 'french.jpg': jpeg }, sent);
    assert.deepEqual([job.status, job.config?.['ocrLanguages']], ['completed', ['fra', 'eng']]);
    const [found] = await pagesOf('file_name:french.jpg');
    assert.match(found?.text ?? '', /Élève très âgé à Besançon/);
    const refused = async (
      ocrLanguages: string,
      more: object = { processAsDocument: 'true' },
    ): Promise<string> => {
      const parts = { datasetId, ocrLanguages, ...more };
      const answer = await uploads.send('/uploads', 400, { 'a.jpg': jpeg }, parts);
      return (answer as { message: string }).message;
    };
    assert.match(
      await refused('["eng","tlh"]'),
      /^ocrLanguages must contain .* got "tlh", which is not\. Installed are eng, fra/,
    );
    assert.match(await refused('["../eng"]'), /ocrLanguages/);
    assert.match(await refused('["osd"]'), /got "osd"/);
    assert.match(await refused('[]'), /ocrLanguages/);
    assert.match(await refused('eng'), /ocrLanguages must be JSON/);
    assert.match(await refused('["eng"]', {}), /must not be sent without processAsDocument: true/);
    const body = {
      datasetId,
      ocrLanguages: ['tlh'],
      processAsDocument: true,
      dataSourceParams: { type: 'URL', connectionInfo: { urls: [{ url: 'http://example.org/a.jpg' }] } },
    };
    const { message } = await fixture.call<{ message: string }>(400, 'POST', '/ingest', { body });
    assert.match(message, /got "tlh", which is not/);
    const plain = { ...body, ocrLanguages: ['eng'], processAsDocument: false };
    await fixture.call(400, 'POST', '/ingest', { body: plain });
  });

  test('languages of the setting that are not installed fail the file that needs them, with their names', async () => {
    const other = await startServer({ ocrLanguages: ['tlh'] });
    try {
      const owner = await createRecordFixture(other);
      const target = await owner.dataset();
      const files = { 'a.png': scan('phototest-rotated-L.png'), 'a.pdf': makePdf(['Runway']) };
      const parts = { processAsDocument: 'true' };
      const { job } = await createUploadFixture(owner, other.jobsSettled).upload(target, files, parts);
      assert.match(
        job.error?.message ?? '',
        /1 of 2 files .*a\.png: .*got "tlh", which is not\. Installed are eng/,
      );
    } finally {
      await other.close();
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
