import type { UploadPreview } from '@redoubt/contract';
import { makeMail, makePdf } from '@redoubt/file-formats/testing';
import { sharedServer, type SharedServer } from '@redoubt/server/testing';
import {
  createRecordFixture,
  labelField,
  multipartBody,
  type MultipartPart,
  type RecordFixture,
} from '@redoubt/testkit';
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

const labels = (info: object): MultipartPart => ({
  name: 'accessControlLabel',
  content: JSON.stringify({ securityLabeled: true, securityLabelInfo: info }),
});

describe('previews of uploads', () => {
  let server: SharedServer;
  let fixture: RecordFixture;

  before(async () => {
    server = await sharedServer();
    fixture = await createRecordFixture(server);
  });

  const preview = async (
    status: number,
    content: MultipartPart['content'],
    more: readonly MultipartPart[] = [],
    fileName = 'rows.csv',
  ): Promise<UploadPreview & { message: string }> => {
    const { body, headers } = multipartBody([{ name: 'files', fileName, content }, ...more]);
    const response = await fixture.post('/uploads/preview', body, { headers });
    assert.equal(response.status, status, response.text);
    return JSON.parse(response.text) as UploadPreview & { message: string };
  };
  const asDocument = { name: 'processAsDocument', content: 'true' };
  /** The records of a preview of a document. */
  const pagesOf = async (content: MultipartPart['content'], fileName: string): Promise<unknown[]> =>
    (await preview(200, content, [asDocument], fileName)).rows.map(({ record }): unknown =>
      JSON.parse(record ?? 'null'),
    );
  const attributes = async (): Promise<number> =>
    (await fixture.call<{ total: number }>(200, 'GET', '/attributes')).total;

  test('a preview shows dialect, encoding, columns, and each row with the label that it would get', async () => {
    const before = await attributes();
    const content = 'n;label\n1;A\n2;\n3;b&a\n4;A&\n5;A;too many\n';
    const info = { ...labelField, labelHandlingPolicy: 'ignore' };
    const { format, encoding, dialect, columns, rows, error } = await preview(200, content, [labels(info)]);
    assert.deepEqual(
      [format, encoding, dialect?.delimiter, dialect?.header, error],
      ['csv', 'utf-8', ';', true, null],
    );
    assert.deepEqual(
      columns?.map(({ name }) => name),
      ['n', 'label'],
    );
    assert.deepEqual(
      rows.map(({ line, outcome, label }) => [line, outcome, label]),
      [
        [2, 'stored', 'A'],
        [3, 'stored', ''],
        [4, 'stored', 'A&B'],
        [5, 'rejected', null],
        [6, 'rejected', null],
      ],
    );
    assert.match(rows[3]?.reason ?? '', /label/);
    assert.equal(await attributes(), before);
  });

  test('a preview has the outcomes of the policies', async () => {
    const content = 'n,label\n1,A\n2,\n';
    const outcomes = async (info: object) =>
      (await preview(200, content, [labels(info)])).rows.map(({ outcome, label }) => [outcome, label]);
    assert.deepEqual(await outcomes({ ...labelField, labelHandlingPolicy: 'drop' }), [
      ['stored', 'A'],
      ['dropped', null],
    ]);
    assert.deepEqual(
      await outcomes({ ...labelField, labelHandlingPolicy: 'replace', replacementString: 'C' }),
      [
        ['stored', 'A'],
        ['replaced', 'C'],
      ],
    );
  });

  test('a preview has 50 rows at most, and of a beginning none that may go on', async () => {
    const many = `n\n${Array.from({ length: 80 }, (_, n) => n).join('\n')}\n`;
    assert.equal((await preview(200, many)).rows.length, 50);
    const partial = { name: 'isPartial', content: 'true' };
    const { rows, error } = await preview(200, 'n,name\n1,one\n2,tw', [partial]);
    assert.deepEqual([rows.map(({ line }) => line), error], [[2], null]);
    const cut = await preview(200, '[{"n":1},\n{"n":2},\n{"n":', [], 'cut.json');
    assert.equal(cut.rows.length, 2);
    assert.match(cut.error ?? '', /cut\.json, line 3/);
  });

  test('a preview of long rows ends after four megabytes and says so', async () => {
    const long = 'x'.repeat(1_500_000);
    const { rows, error } = await preview(200, `n\n${`${long}\n`.repeat(5)}`);
    assert.equal(rows.length, 2);
    assert.match(error ?? '', /^rows\.csv: its first rows have more than 4000000 bytes/);
  });

  test('a preview of a document has the first pages as they would be stored, without an id of the file', async () => {
    const info = { parserClassName: 'apply-label-to-all-records-parser', label: 'b&a' };
    const pages = Array.from({ length: 60 }, (_, at) => (at === 1 ? '' : `Runway ${String(at + 1)}`));
    const { format, rows, columns, error } = await preview(
      200,
      makePdf(pages),
      [asDocument, labels(info)],
      'notice.pdf',
    );
    assert.deepEqual([format, rows.length, columns, error], ['pdf', 50, null, null]);
    assert.ok(rows.every(({ outcome, label }) => outcome === 'stored' && label === 'A&B'));
    assert.deepEqual(
      rows.slice(0, 2).map(({ record }): unknown => JSON.parse(record ?? 'null')),
      [
        { file_name: 'notice.pdf', page: 1, text: 'Runway 1', documentConversionType: 'PDF_PREVIEW' },
        { file_name: 'notice.pdf', page: 2, text: '', documentConversionType: 'PDF_PREVIEW' },
      ],
    );
  });

  test('a preview of a mail has its attachments under their own names', async () => {
    const mail = makeMail('Runway', [{ name: 'notice.pdf', content: makePdf(['Runway closed']) }]);
    const found = (await pagesOf(mail, 'a.eml')) as { file_name: string; page: number; text: string }[];
    assert.deepEqual(
      found.map(({ file_name: name, page }) => [name, page]),
      [
        ['a.eml', 1],
        ['notice.pdf', 1],
      ],
    );
    assert.equal(found[1]?.text, 'Runway closed');
    assert.ok(!JSON.stringify(found).includes('document_id'));
  });

  test('the options in a preview of a document are those that its upload takes', async () => {
    const latin = Buffer.from('Übung in Süd', 'latin1');
    const { format, fileOptions } = await preview(200, latin, [asDocument], 'a.txt');
    assert.deepEqual([format, fileOptions], ['text', { encoding: 'windows-1252' }]);
    const again = { name: 'fileOptions', content: JSON.stringify(fileOptions) };
    const { rows } = await preview(200, latin, [asDocument, again], 'a.txt');
    assert.match(rows[0]?.record ?? '', /"text":"Übung in Süd"/);
    assert.deepEqual((await preview(200, makePdf(['Runway']), [asDocument], 'a.pdf')).fileOptions, {});
  });

  test('a preview of a document rejects what cannot be read or honoured', async () => {
    const broken = await preview(400, makePdf(['Runway']).subarray(0, 60), [asDocument], 'cut.pdf');
    assert.match(broken.message, /^cut\.pdf/);
    const partial = await preview(
      400,
      '# Runway\n',
      [asDocument, { name: 'isPartial', content: 'true' }],
      'a.md',
    );
    assert.match(partial.message, /^isPartial must not be true with processAsDocument: true/);
    const fields = await preview(400, '# Runway\n', [asDocument, labels(labelField)], 'a.md');
    assert.match(fields.message, /parserClassName must be "apply-label-to-all-records-parser"/);
    const header = { name: 'fileOptions', content: '{"header":false}' };
    assert.match((await preview(400, 'a\n', [asDocument, header], 'a.csv')).message, /^fileOptions\.header/);
  });

  test('a preview rejects what an upload rejects', async () => {
    await preview(400, 'n,lable\n1,A\n', [labels(labelField)]);
    await preview(400, 'n,_koverse_record_id\n1,x\n');
    await preview(400, 'n\n1\n', [{ name: 'accessControlLabel', content: '{"securityLabeled":true}' }]);
    await preview(400, 'n\n1\n', [{ name: 'datasetId', content: 'x' }]);
    await preview(400, 'n\n1\n', [{ name: 'files', fileName: 'b.csv', content: 'n\n2\n' }]);
  });
});
