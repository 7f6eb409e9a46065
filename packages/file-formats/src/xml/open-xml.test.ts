import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from '@redoubt/file-formats/testing';

const xml = { fileName: 'a.xml' };

test('repeated elements are rows with attributes, lists and texts', async () => {
  const content = `<?xml version="1.0"?>
<list at="x">
  <item id="007"><name>A &amp; B</name><tag>x</tag><tag>y</tag><empty/><deep><a>1</a></deep></item>
  <item><![CDATA[<raw>]]> text</item>
</list>`;
  for (const sizes of [[1], [65_536]]) {
    const { opened, rows, error } = await readFile(content, xml, sizes);
    assert.equal(error, undefined);
    assert.equal(opened.format, 'xml');
    assert.deepEqual(rows, [
      {
        kind: 'row',
        line: 3,
        offset: 38,
        json: '{"@id":"007","name":"A & B","tag":["x","y"],"empty":null,"deep":{"a":"1"}}',
      },
      { kind: 'row', line: 4, offset: 138, json: '{"#text":"<raw> text"}' },
    ]);
  }
});

test('rows are found inside other elements, and other elements next to them are rejected', async () => {
  const { json, rejects } = await readFile(
    '<rss><channel><title>T</title><item><a>1</a></item><item><a>2</a></item></channel></rss>',
    xml,
  );
  assert.deepEqual(json, ['{"a":"1"}', '{"a":"2"}']);
  assert.deepEqual(
    rejects.map(({ reason, text }) => [reason, text]),
    [['the element <title> stands between the rows, which are <item>.', '<title>T</title>']],
  );
});

test('a document with one row is read', async () => {
  assert.deepEqual((await readFile('<list><item><a>1</a></item></list>', xml)).json, ['{"a":"1"}']);
  assert.deepEqual((await readFile('<item id="1"/>', xml)).json, ['{"@id":"1"}']);
});

test('files with a document type or custom entities are rejected', async () => {
  const bomb = '<!DOCTYPE a [<!ENTITY x "xxxxxxxx"><!ENTITY y "&x;&x;">]><a><b>&y;</b><b/></a>';
  const { rows, error } = await readFile(bomb, xml);
  assert.equal(rows.length, 0);
  assert.match(String(error), /a\.xml, line 1: it has a document type definition/);
  const { error: unknown } = await readFile('<a><b>&y;</b><b/></a>', xml);
  assert.match(String(unknown), /invalid XML: Invalid character entity/);
});

test('XML that is not valid ends the file with its line, after the rows before it', async () => {
  const { rows, error } = await readFile('<a>\n<b>1</b>\n<b>2</b>\n<b>3</c>\n</a>', xml);
  assert.equal(rows.length, 2);
  assert.match(String(error), /a\.xml, line 4: invalid XML/);
  const { error: cut } = await readFile('<a><b>1</b><b>2', xml);
  assert.match(String(cut), /invalid XML: Unclosed root tag/);
});

test('rows that are too long or too deep are rejected', async () => {
  const limits = { maxRowLength: 50, maxNesting: 3 };
  const { all } = await readFile(
    `<l><r><a>1</a></r><r>${'x'.repeat(60)}</r><r><a><b><c>1</c></b></a></r><r><a>2</a></r></l>`,
    { ...xml, limits },
  );
  assert.deepEqual(
    all.map((row) => (row.kind === 'row' ? row.json : row.reason)),
    [
      '{"a":"1"}',
      'it has more than 50 characters, the limit of a row.',
      'its elements are nested more than 3 deep.',
      '{"a":"2"}',
    ],
  );
});

test('the encoding of the declaration is used, and columns can be typed', async () => {
  const content = Buffer.from(
    '<?xml version="1.0" encoding="ISO-8859-1"?><l><r n="1">é</r><r n="x"/></l>',
    'latin1',
  );
  const { json, rejects } = await readFile(content, {
    ...xml,
    columns: [{ name: '@n', type: 'integer', rename: 'n' }],
  });
  assert.deepEqual(json, ['{"n":1,"#text":"é"}']);
  assert.match(rejects[0]!.reason, /"@n" must be of type integer/);
});
