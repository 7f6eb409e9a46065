/* Shows: F-POST-/uploads-customMetadata, F-POST-/uploads-processAsDocument, D-document-records,
   E-Document-document_id, V-documentConversionType-VIDEO_PREVIEW, V-documentConversionType-IMAGE_PREVIEW */
import type { JobReceipt, RecordSource, Segment, Upload } from '@redoubt/contract';
import {
  makeDocx,
  makeExif,
  makeJpeg,
  makePdf,
  makePptx,
  makeRaster,
  withExif,
} from '@redoubt/file-formats/testing';
import { startServer, type TestServer } from '@redoubt/server/testing';
import {
  bodyOf,
  createRecordFixture,
  createUploadFixture,
  type RecordFixture,
  type UploadFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

const processAsDocument = 'true';
const labelled = (label: string) => ({
  securityLabeled: true,
  securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label },
});

/** A PNG of one pixel. */
const onePixelPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('uploads of documents', () => {
  let server: TestServer;
  let fixture: RecordFixture;
  let uploads: UploadFixture;
  let datasetId: string;

  before(async () => {
    server = await startServer({ ingestLimits: { blockRows: 2 } });
    fixture = await createRecordFixture(server);
    uploads = createUploadFixture(fixture, server.jobsSettled);
  });
  after(() => server.close());

  const newDataset = async (): Promise<string> => {
    datasetId = await fixture.dataset(['read', 'write']);
    return datasetId;
  };
  const filesOf = async (jobId: string, token = fixture.admin): Promise<JobReceipt['files']> =>
    (await fixture.call<JobReceipt>(200, 'GET', `/jobs/${jobId}/receipt`, { token })).files;
  const documents = async (token = fixture.admin) => {
    const body = JSON.stringify({ datasetId, expression: '*:*', limit: -1 });
    const response = await fixture.post('/query/document/lucene', body, { token });
    return bodyOf(200, response).records.toSorted((a, b) => Number(a['page']) - Number(b['page']));
  };

  /** The error of an upload that is rejected. */
  const errorOf = async (parts: object): Promise<{ message: string; name: string }> =>
    (await uploads.send(
      '/uploads',
      400,
      { 'a.txt': 'Runway' },
      { datasetId, processAsDocument, ...parts },
    )) as { message: string; name: string };

  test('each page of a document is a record with its file, page, text and custom metadata', async () => {
    await newDataset();
    const { receipt, job, jobId } = await uploads.upload(
      datasetId,
      { 'notice.pdf': makePdf(['Runway closed', '', 'Taxiway open']) },
      // A backslash before u0000 is no NUL.
      {
        processAsDocument,
        customMetadata: '{ "tower": "north",\n "weight": 1.50, "tags": ["a b", "\\\\u0000"] }',
      },
    );
    assert.deepEqual([job.status, job.config?.['processAsDocument']], ['completed', true]);
    assert.deepEqual([receipt.received, receipt.written, receipt.rejected], [3, 3, 0]);
    const [file] = await filesOf(jobId);
    const found = await documents();
    assert.deepEqual(
      found.map((record) => ({
        ...record,
        documentRowId: typeof record['documentRowId'],
        previewBytes: typeof record['previewBytes'],
      })),
      ['Runway closed', '', 'Taxiway open'].map((text, index) => ({
        tower: 'north',
        weight: 1.5,
        tags: ['a b', String.raw`\u0000`],
        document_id: file?.id,
        file_name: 'notice.pdf',
        page: index + 1,
        text,
        documentConversionType: 'PDF_PREVIEW',
        // Only the first page has a picture; typeof null is object.
        previewBytes: index === 0 ? 'string' : 'object',
        documentRowId: 'string',
      })),
    );
    const raw = await fixture.post('/readInSequence', JSON.stringify({ datasetId, batchSize: -1 }));
    assert.match(raw.text, /"weight":1\.50,/);
  });

  test('office documents, mails, web pages, texts, images and tables are documents of their own', async () => {
    await newDataset();
    const { job, jobId } = await uploads.upload(
      datasetId,
      {
        'a.docx': await makeDocx(['Runway', 'closed']),
        'b.pptx': await makePptx(['One', 'Two']),
        'c.eml': 'From: a@example.com\nTo: b@example.com\nSubject: Runway\n\nIt is open.\n',
        'd.html': '<html><body><p>Runway</p></body></html>',
        'e.md': '# Runway\n',
        'f.png': Buffer.from(onePixelPng, 'base64'),
        'g.csv': 'a,b\n1,2\n',
        'h.mp4': Buffer.from('\0\0\0\x18ftypmp42', 'latin1'),
      },
      { processAsDocument },
    );
    assert.equal(job.status, 'completed', JSON.stringify(job.error));
    const found = (await documents()).toSorted((a, b) =>
      String(a['file_name']) < String(b['file_name']) ? -1 : 1,
    );
    assert.deepEqual(
      found.map((record) => [
        record['file_name'],
        record['page'],
        record['text'],
        record['documentConversionType'],
      ]),
      [
        ['a.docx', 1, 'Runway\nclosed', 'NONE'],
        ['b.pptx', 1, 'One', 'NONE'],
        ['b.pptx', 2, 'Two', 'NONE'],
        ['c.eml', 1, 'From: a@example.com\nTo: b@example.com\nSubject: Runway\n\nIt is open.', 'NONE'],
        ['d.html', 1, 'Runway', 'NONE'],
        ['e.md', 1, '# Runway\n', 'NONE'],
        ['f.png', 1, '', 'IMAGE_PREVIEW'],
        ['g.csv', 1, 'a,b\n1,2\n', 'NONE'],
        ['h.mp4', 1, '', 'VIDEO_PREVIEW'],
      ],
    );
    assert.deepEqual(
      new Set(found.map((record) => record['document_id'])),
      new Set((await filesOf(jobId)).map(({ id }) => id)),
    );
  });

  test('people who may not see the column file_name read the name of a file nowhere', async () => {
    datasetId = await fixture.dataset(['read', 'write', 'manage']);
    const { token: manager } = await fixture.newReader('B');
    const columns = { columnSecurityLabelInfo: { file_name: { securityLabel: 'B' } } };
    const { jobId } = await uploads.upload(
      datasetId,
      { 'closure.txt': 'Runway' },
      { processAsDocument, ...columns },
      manager,
    );
    const [record] = await documents(manager);
    for (const [token, shown] of [
      [(await fixture.newReader('B')).token, /^(closure\.txt,?){3}$/],
      [(await fixture.newReader()).token, /^(file [0-9a-f]{8},?){3}$/],
    ] as const) {
      const list = `/uploads?datasetId=${datasetId}`;
      const { data } = await fixture.call<{ data: Upload[] }>(200, 'GET', list, { token });
      const path = `/datasets/${datasetId}/records/${String(record?.['documentRowId'])}/source`;
      const { fileName } = await fixture.call<RecordSource>(200, 'GET', path, { token });
      const files = [...(await filesOf(jobId, token)), ...(data[0]?.files ?? [])];
      assert.match([fileName, ...files.map(({ name }) => name)].join(), shown);
    }
  });

  test('the record of a picture has its EXIF fields, which are found by value and hidden with their column', async () => {
    await newDataset();
    const manager = await fixture.newReader('A', 'B');
    const picture = withExif(
      makeJpeg(makeRaster(16, 16, () => 255)),
      makeExif({
        271: 'Tower Cam',
        34853: {
          directory: {
            1: 'N',
            2: [
              [51, 1],
              [30, 1],
              [0, 1],
            ],
            3: 'W',
            4: [
              [1, 1],
              [0, 1],
              [0, 1],
            ],
          },
        },
      }),
    );
    const dataset = await fixture.dataset(['read', 'write', 'manage']);
    datasetId = dataset;
    await uploads.upload(
      dataset,
      { 'a.jpg': picture },
      {
        processAsDocument,
        accessControlLabel: labelled('A'),
        columnSecurityLabelInfo: { exif: { securityLabel: 'B' } },
      },
      manager.token,
    );
    const [record] = await documents(manager.token);
    assert.deepEqual(record?.['exif'], { Make: 'Tower Cam', GPSLatitude: 51.5, GPSLongitude: -1 });
    assert.equal(typeof record['previewBytes'], 'string');
    const find = (token: string) =>
      fixture.post(
        '/query/lucene',
        JSON.stringify({ datasetId, expression: 'exif.GPSLatitude:[51 TO 52]' }),
        { token },
      );
    assert.equal(bodyOf(200, await find(manager.token)).records.length, 1);
    const { token } = await fixture.newReader('A');
    const [hidden] = await documents(token);
    assert.deepEqual(
      [hidden?.['file_name'], hidden?.['exif'], hidden?.['previewBytes']],
      ['a.jpg', undefined, null],
    );
    const path = `/serve-media/${dataset}?documentId=${String(record['document_id'])}`;
    await fixture.call(404, 'GET', path, { token });
    await fixture.call(200, 'GET', path, { token: manager.token });
  });

  test('all pages of a document get the label of the request', async () => {
    await newDataset();
    const writer = await fixture.reader('A');
    await uploads.upload(
      datasetId,
      { 'secret.pdf': makePdf(['One', 'Two']) },
      { processAsDocument, accessControlLabel: labelled('A') },
      writer,
    );
    assert.equal((await documents(writer)).length, 2);
    assert.deepEqual(await documents(await fixture.reader('B')), []);
    assert.deepEqual(await documents(), []);
  });

  test('a document that cannot be read fails its segment with a message, and the others are stored', async () => {
    await newDataset();
    const pdf = makePdf(['One', 'Two', 'Three']);
    const { job, jobId } = await uploads.upload(
      datasetId,
      {
        'cut.pdf': pdf.subarray(0, 400),
        'locked.pdf': makePdf(['One'], { isEncrypted: true }),
        'old.doc': Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'),
        'good.pdf': pdf,
      },
      { processAsDocument },
    );
    assert.equal(job.status, 'failed');
    const path = `/segments?datasetId=${datasetId}&jobId=${jobId}&$limit=-1`;
    const { data } = await fixture.call<{ data: Segment[] }>(200, 'GET', path);
    const messages = data.map(({ error }) => error?.message ?? '').toSorted();
    assert.equal(messages[0], '');
    assert.match(messages[1] ?? '', /^cut\.pdf: the PDF is damaged or cut off/);
    assert.match(messages[2] ?? '', /^locked\.pdf: the PDF is protected by a password/);
    assert.match(messages[3] ?? '', /^old\.doc: .*before 2007.*not supported/);
    assert.deepEqual(
      (await documents()).map(({ text }) => text),
      ['One', 'Two', 'Three'],
    );
  });

  test('a retry reads the document again and stores no page twice', async () => {
    await newDataset();
    const pages = makePdf(['One', 'Two', 'Three']);
    const { jobId } = await uploads.upload(datasetId, { 'a.pdf': pages }, { processAsDocument });
    await server.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', jobId).execute();
    await server.db.updateTable('segments').set({ status: 'failed' }).where('job_id', '=', jobId).execute();
    await fixture.call(200, 'PATCH', `/jobs/${jobId}`, { body: { status: 'queued' } });
    const { job, receipt } = await uploads.ended(datasetId, jobId);
    assert.deepEqual([job.status, receipt.received, receipt.duplicate], ['completed', 3, 3]);
    assert.deepEqual(
      (await documents()).map(({ text }) => text),
      ['One', 'Two', 'Three'],
    );
  });

  test('replacing the visible records by documents replaces all of them', async () => {
    await newDataset();
    await uploads.upload(datasetId, { 'a.pdf': makePdf(['Old', 'Older']) }, { processAsDocument });
    await uploads.upload(
      datasetId,
      { 'b.pdf': makePdf(['New']) },
      { processAsDocument, writeMode: 'replace' },
    );
    assert.deepEqual(
      (await documents()).map(({ text }) => text),
      ['New'],
    );
  });

  test('options that documents cannot honour are rejected, and nothing is stored', async () => {
    await newDataset();
    const byField = {
      securityLabeled: true,
      securityLabelInfo: {
        parserClassName: 'identity-parser',
        fields: ['label'],
        labelHandlingPolicy: 'ignore',
      },
    };
    const unlabelled = await errorOf({ accessControlLabel: byField });
    assert.equal(unlabelled.name, 'SecurityError');
    assert.match(unlabelled.message, /apply-label-to-all-records-parser/);
    assert.match(
      (await errorOf({ fileOptions: { header: true } })).message,
      /fileOptions\.header.*no columns/,
    );
    for (const name of ['document_id', 'text', 'previewBytes', '_koverse_x'])
      assert.match((await errorOf({ customMetadata: { [name]: 1 } })).message, new RegExp(`"${name}"`));
    for (const text of [String.raw`{"a":"\u0000"}`, String.raw`{"a":"\\\u0000"}`])
      assert.match((await errorOf({ customMetadata: text })).message, /must not contain .* NUL/);
    assert.deepEqual(await documents(), []);
  });

  test('a document that is sent without processAsDocument fails with a message that names it', async () => {
    await newDataset();
    for (const [name, content] of [
      ['a.pdf', makePdf(['One'])],
      ['a.docx', await makeDocx(['One'])],
    ] as const) {
      const { job } = await uploads.upload(datasetId, { [name]: content });
      assert.match(job.error?.message ?? '', new RegExp(`^${name}: .*processAsDocument: true`));
    }
  });
});
