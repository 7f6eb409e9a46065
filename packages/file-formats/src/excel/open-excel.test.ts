import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeZip, readFile } from '@redoubt/file-formats/testing';

const options = { fileName: 'a.xlsx' };
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const related = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A workbook as ECMA-376 describes it. Style 1 is a date. */
const makeWorkbook = async (sheets: Readonly<Record<string, string>>): Promise<Buffer> => {
  const names = Object.keys(sheets);
  return makeZip([
    {
      path: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${relation}"><sheets>${names
        .map(
          (name, index) =>
            `<sheet name="${name}" sheetId="${String(index + 1)}" r:id="rId${String(index + 1)}"/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      path: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${related}">${names
        .map(
          (_, index) =>
            `<Relationship Id="rId${String(index + 1)}" Type="${relation}/worksheet" Target="worksheets/sheet${String(index + 1)}.xml"/>`,
        )
        .join('')}</Relationships>`,
    },
    {
      path: 'xl/styles.xml',
      content: `<styleSheet xmlns="${main}"><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    },
    ...names.map((name, index) => ({
      path: `xl/worksheets/sheet${String(index + 1)}.xml`,
      content: `<worksheet xmlns="${main}"><sheetData>${sheets[name] ?? ''}</sheetData></worksheet>`,
    })),
  ]);
};

const text = (cell: string, value: string): string =>
  `<c r="${cell}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
const number = (cell: string, value: string, style = '0'): string =>
  `<c r="${cell}" s="${style}"><v>${value}</v></c>`;

test('the rows of all sheets are read, with texts, numbers, dates, booleans and errors of formulas', async () => {
  const { opened, rows, error } = await readFile(
    await makeWorkbook({
      People: `<row r="1">${text('A1', 'name')}${text('B1', 'n')}${text('C1', 'day')}${text('D1', 'ok')}${text('E1', 'f')}</row>
<row r="2">${text('A2', ' 007 ')}${number('B2', '1.1000000000000001')}${number('C2', '45322', '1')}<c r="D2" t="b"><v>1</v></c><c r="E2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>
<row r="4">${text('A4', 'b')}${number('B4', '12345678901234567890')}${number('C4', '45322.5', '1')}</row>`,
      Other: `<row r="1">${text('A1', 'x')}</row><row r="2">${number('A2', '5')}</row>`,
    }),
    options,
  );
  assert.equal(error, undefined);
  assert.equal(opened.format, 'excel');
  assert.deepEqual(rows, [
    {
      kind: 'row',
      line: 2,
      offset: 0,
      json: '{"name":" 007 ","n":1.1,"day":"2024-01-31","ok":true,"f":"#DIV/0!"}',
      file: 'People',
    },
    {
      kind: 'row',
      line: 4,
      offset: 1,
      json: '{"name":"b","n":12345678901234567890,"day":"2024-01-31T12:00:00","ok":null,"f":null}',
      file: 'People',
    },
    { kind: 'row', line: 2, offset: 2, json: '{"x":5}', file: 'Other' },
  ]);
});

test('columns of a workbook are renamed, typed and skipped', async () => {
  const workbook = await makeWorkbook({
    S: `<row r="1">${text('A1', 'a')}${text('B1', 'b')}</row><row r="2">${number('A2', '5')}${text('B2', 'x')}</row><row r="3">${text('A3', 'y')}</row>`,
  });
  const { json, rejects } = await readFile(workbook, {
    ...options,
    columns: [
      { name: 'a', type: 'integer', rename: 'A' },
      { name: 'b', skip: true },
    ],
  });
  assert.deepEqual(json, ['{"A":5}']);
  assert.deepEqual([rejects[0]!.line, rejects[0]!.reason], [3, '"A" must be of type integer, got "y".']);
});

test('a workbook that is too large is an error', async () => {
  const workbook = await makeWorkbook({ S: `<row r="1">${text('A1', 'x'.repeat(10_000))}</row>` });
  await assert.rejects(
    readFile(workbook, { ...options, limits: { maxDocumentBytes: 5000 } }),
    /more than 5000 bytes without its compression/,
  );
});

test('workbooks with a password, old ones and other documents say what to do', async () => {
  const old = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  await assert.rejects(
    readFile(old, options),
    /Excel file with a password, or in the format from before 2007/,
  );
  const word = await makeZip([{ path: 'word/document.xml', content: '<a/>' }]);
  await assert.rejects(readFile(word, { fileName: 'a.docx' }), /Word document/);
});

test('a workbook that is damaged is an error', async () => {
  const broken = await makeZip([{ path: 'xl/workbook.xml', content: '<workbook' }]);
  await assert.rejects(readFile(broken, options), /the workbook cannot be read/);
});

const required = { ...options, requiredColumns: [{ name: 'label', namedBy: 'securityLabelInfo.fields' }] };
const table = (name: string): string =>
  `<row r="1">${text('A1', 'n')}${text('B1', name)}</row><row r="2">${number('A2', '1')}${text('B2', 'A')}</row>`;

test('a workbook without a required column is refused, whether it is misspelt, unnamed or missing in one sheet', async () => {
  await assert.rejects(
    readFile(await makeWorkbook({ S: table('labell') }), required),
    /the sheet "S" has no column "label", which securityLabelInfo\.fields names\. Its columns are "n", "labell"\./,
  );
  const unnamed = `<row r="1">${number('A1', '1')}</row><row r="2">${number('A2', '2')}</row>`;
  await assert.rejects(
    readFile(await makeWorkbook({ S: unnamed }), required),
    /the sheet "S" has no column "label", .* Its columns are "column_1"\./,
  );
  await assert.rejects(
    readFile(await makeWorkbook({ S: table('label'), Other: table('Label') }), required),
    /the sheet "Other" has no column "label"/,
  );
  const { json, rejects } = await readFile(await makeWorkbook({ S: table('label') }), required);
  assert.deepEqual([json, rejects], [['{"n":1,"label":"A"}'], []]);
});
