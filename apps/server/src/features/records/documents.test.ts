/* Shows: D-document-preview, D-document-query, E-Document-documentConversionType, E-Document-documentRowId,
   E-Document-preview, E-Query-recordIds, R-recordIds-win, V-documentConversionType-PDF_PREVIEW,
   V-documentConversionType-NONE, W-percent-document */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  bodyOf,
  createRecordFixture,
  labelField,
  type RecordResponse,
  type RecordFixture,
} from '@redoubt/testkit';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';

const lucene = '/query/document/lucene';

const texts = ({ records }: RecordResponse): string[] =>
  records.map(({ text }) => String(text)).toSorted((a, b) => (a < b ? -1 : 1));

const page = (number: number, text: string): Record<string, unknown> => ({
  source: 'tower',
  weight: '1.50',
  document_id: 'report-1',
  file_name: 'report.pdf',
  page: number,
  text,
  documentConversionType: 'PDF_PREVIEW',
});

describe('querying documents', () => {
  let server: SharedServer;
  let fixture: RecordFixture;
  let token: string;
  let id: string;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
    token = await fixture.reader('A');
    id = await fixture.dataset(['read'], { name: 'Reports' });
    const previewBytes = Buffer.from('a picture').toString('base64');
    const records = [
      { ...page(1, 'Runway closed'), previewBytes, label: 'A' },
      { ...page(2, 'Runway open'), label: '' },
      { ...page(3, 'Hidden runway'), label: 'B' },
      { note: 'a runway in no document', label: '' },
      { document_id: 7, text: 'runway number', label: '' },
      { document_id: 'rows', text: 'a row about a runway', label: 'A' },
    ];
    bodyOf(200, await fixture.write(id, records, { labelInfo: labelField }));
  });

  const query = async (status: number, path: string, body: object, as = token): Promise<RecordResponse> =>
    bodyOf(status, await fixture.post(path, JSON.stringify(body), { token: as }));

  test('a document query returns the visible records of documents, with row id, conversion type and preview', async () => {
    const response = await query(200, lucene, { datasetId: id, expression: 'runway' });
    assert.deepEqual(texts(response), ['Runway closed', 'Runway open', 'a row about a runway']);
    assert.deepEqual([response.total, response.more], [3, false]);
    const first = response.records.find(({ page }) => page === 1);
    assert.deepEqual(first, {
      source: 'tower',
      weight: '1.50',
      document_id: 'report-1',
      file_name: 'report.pdf',
      page: 1,
      text: 'Runway closed',
      documentConversionType: 'PDF_PREVIEW',
      previewBytes: Buffer.from('a picture').toString('base64'),
      label: 'A',
      documentRowId: first?.['documentRowId'],
    });
    assert.match(String(first?.['documentRowId']), /^[0-9a-f-]{36}$/);
    const row = response.records.find(({ document_id: name }) => name === 'rows');
    assert.deepEqual([row?.['documentConversionType'], row?.['previewBytes']], ['NONE', null]);
  });

  test('SQL over documents reads only their records, and returns whole records', async () => {
    const response = await query(200, '/query/document', {
      expression: 'SELECT * FROM Reports ORDER BY text DESC',
      limit: 2,
    });
    assert.deepEqual(
      response.records.map(({ text }) => text),
      ['a row about a runway', 'Runway open'],
    );
    assert.deepEqual([response.total, response.more], [3, true]);
    const where = await query(200, '/query/document', {
      expression: `SELECT * FROM "${id}" WHERE page IS NULL`,
    });
    assert.deepEqual(texts(where), ['a row about a runway']);
    const refused = await query(400, '/query/document', { expression: 'SELECT text FROM Reports' });
    assert.match(refused.message, /whole records/);
    assert.equal(
      (await query(404, '/query/document', { expression: 'SELECT * FROM Nowhere' })).name,
      'TableNotFoundError',
    );
  });

  test('recordIds of a document query take precedence over its expression, and find only visible records of documents', async () => {
    const everything = await query(
      200,
      '/query/lucene',
      { datasetId: id, expression: '*:*', limit: -1, includeInternalFields: true },
      await fixture.reader('A', 'B'),
    );
    const recordIds = everything.records.map((record) => String(record['_koverse_record_id']));
    assert.equal(recordIds.length, 6);
    for (const path of [lucene, '/query/document']) {
      const response = await query(200, path, {
        datasetId: id,
        expression: '((',
        recordIds: [...recordIds, "it's", 'nowhere'],
      });
      assert.deepEqual(texts(response), ['Runway closed', 'Runway open', 'a row about a runway']);
      const named = response.records.map((record) => String(record['documentRowId']));
      const single = await query(200, path, {
        datasetId: id,
        recordIds: named.slice(0, 1),
        includeInternalFields: true,
      });
      assert.equal(single.records[0]?.['_koverse_record_id'], named[0]);
      assert.equal(single.records[0]?.['documentRowId'], named[0]);
      assert.equal((await query(200, path, { datasetId: id, recordIds: named, limit: 1 })).records.length, 1);
    }
    await query(400, '/query/document', { recordIds });
    await query(404, lucene, { datasetId: 'nowhere', recordIds });
  });

  test('a document query accepts the percent-encoded expression of the Python connector', async () => {
    const expression = encodeURIComponent('text:"runway open" AND page:2');
    assert.deepEqual(texts(await query(200, lucene, { datasetId: id, expression })), ['Runway open']);
  });

  test('a document query with neither expression nor record ids, or with an invalid expression, is rejected', async () => {
    assert.match((await query(400, lucene, { datasetId: id })).message, /expression/);
    assert.match((await query(400, '/query/document', { recordIds: [] })).message, /expression/);
    assert.equal(
      (await query(400, lucene, { datasetId: id, expression: 'text:(' })).name,
      'LuceneParseError',
    );
    assert.equal((await query(400, '/query/document', { expression: 'SELEC' })).name, 'SqlParseError');
  });
});
