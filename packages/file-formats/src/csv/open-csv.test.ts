import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from '@redoubt/file-formats/testing';

const valueOfA = (row: string): unknown => (JSON.parse(row) as { a: unknown }).a;

test('cells are texts as written, and numbers only where the whole column is canonical numbers', async () => {
  const { json } = await readFile('id,zip,n,big\n1,00501,1.50,12345678901234567890123\n2,10001,-0.5,1\n');
  assert.deepEqual(json, [
    '{"id":1,"zip":"00501","n":1.50,"big":12345678901234567890123}',
    '{"id":2,"zip":"10001","n":-0.5,"big":1}',
  ]);
});

test('an empty cell is null, a quoted empty cell is an empty text', async () => {
  const { json } = await readFile('a,b\n,""\n');
  assert.deepEqual(json, ['{"a":null,"b":""}']);
});

test('a later cell that is not a canonical number stays a text', async () => {
  const { json } = await readFile(`n,t\n${'1,x\n'.repeat(2000)}01,y\n1e5,z\n+1,w\n`);
  assert.deepEqual(json.slice(-4), [
    '{"n":1,"t":"x"}',
    '{"n":"01","t":"y"}',
    '{"n":"1e5","t":"z"}',
    '{"n":"+1","t":"w"}',
  ]);
});

test('rows and rejects have the line on which they begin and the characters before them', async () => {
  const { all } = await readFile('a,b\r\n"x\r\ny",1\r\n3,4,5\r\n6\r\n7,8');
  assert.deepEqual(
    all.map(({ kind, line, offset }) => [kind, line, offset]),
    [
      ['row', 2, 5],
      ['reject', 4, 15],
      ['reject', 5, 22],
      ['row', 6, 25],
    ],
  );
});

test('rows with too few or too many cells are rejected, never filled or cut', async () => {
  const { json, rejects } = await readFile('a,b\n1,2\n3\n4,5,6\n');
  assert.deepEqual(json, ['{"a":1,"b":2}']);
  assert.deepEqual(
    rejects.map(({ reason, text }) => [reason, text]),
    [
      ['it has 1 cell where the table has 2 columns.', '3'],
      ['it has 3 cells where the table has 2 columns.', '4,5,6'],
    ],
  );
});

test('a quote that is followed by other text rejects its row alone', async () => {
  const { json, rejects } = await readFile('a,b\n1,"x"y\n2,z\n');
  assert.deepEqual(json, ['{"a":2,"b":"z"}']);
  assert.match(rejects[0]!.reason, /after the closing quote of cell 2 comes "y"/);
});

test('a backslash escapes quotes where the file cannot be read otherwise, and is a character elsewhere', async () => {
  const escaped = await readFile('a,b\n"x \\"y\\", z",1\n"C:\\\\",2\n"q""q \\n",3\n\\,4\n');
  assert.equal(escaped.opened.dialect?.escape, '\\');
  assert.deepEqual(escaped.json.map(valueOfA), ['x "y", z', 'C:\\', 'q"q \\n', '\\']);
  const plain = await readFile('a,b\n"C:\\",1\n"D:\\",2\n');
  assert.equal(plain.opened.dialect?.escape, '');
  assert.deepEqual(plain.json.map(valueOfA), ['C:\\', 'D:\\']);
});

test('escaped quotes that the beginning of a file lacks are rejects that name the option', async () => {
  const content = `a,b\n${'"x",1\n'.repeat(20_000)}"late \\"y\\"",2\n`;
  const { rejects, json } = await readFile(content);
  assert.equal(json.length, 20_000);
  assert.match(rejects[0]!.reason, /or set "escape" to "\\\\" if a backslash escapes it/);
  const { rejects: none, json: all } = await readFile(content, { escape: '\\' });
  assert.deepEqual([none, all.at(-1)], [[], '{"a":"late \\"y\\"","b":2}']);
});

test('a row that is too long ends at its last quote, also with escaped quotes', async () => {
  const options = { escape: '\\', limits: { maxRowLength: 50 } };
  const { rejects, json } = await readFile(`a,b\n"${'\\"\n'.repeat(40)}",1\n2,3\n`, options, [7]);
  assert.deepEqual([rejects.length, json], [1, ['{"a":"2","b":3}']]);
});

test('a quote that is never closed is one reject with the rest of the file', async () => {
  const { json, rejects } = await readFile('a,b\n1,x\n2,"y\n3,z\n');
  assert.deepEqual(json, ['{"a":1,"b":"x"}']);
  assert.equal(rejects.length, 1);
  assert.match(rejects[0]!.reason, /cell 2 is never closed/);
  assert.equal(rejects[0]!.text, '2,"y\n3,z\n');
});

for (const [name, delimiter] of [
  ['commas', ','],
  ['semicolons', ';'],
  ['tabs', '\t'],
  ['bars', '|'],
] as const) {
  test(`${name} between cells are detected`, async () => {
    const { opened, json } = await readFile(`a${delimiter}b\nx${delimiter}"y${delimiter}z"\n`);
    assert.equal(opened.dialect?.delimiter, delimiter);
    assert.deepEqual(JSON.parse(json[0]!), { a: 'x', b: `y${delimiter}z` });
  });
}

test('decimal commas do not hide semicolons', async () => {
  const { json } = await readFile('name;price\nx;1,5\ny;2,5\n');
  assert.deepEqual(json, ['{"name":"x","price":"1,5"}', '{"name":"y","price":"2,5"}']);
});

test('a line "sep=;" names the delimiter and is not a row', async () => {
  const { json, rows } = await readFile('sep=;\na;b\n1;2\n');
  assert.deepEqual(json, ['{"a":1,"b":2}']);
  assert.equal(rows[0]!.line, 3);
});

test('a first row of values is a row', async () => {
  const { opened, json } = await readFile('1,x\n2,y\n');
  assert.equal(opened.dialect?.header, false);
  assert.deepEqual(json, ['{"column_1":1,"column_2":"x"}', '{"column_1":2,"column_2":"y"}']);
});

test('columns without a name are called by their number, repeated names get a number', async () => {
  const { opened } = await readFile(',a,a,a_2,a\n1,2,3,4,5\n', { header: true });
  assert.deepEqual(
    opened.columns?.map(({ name }) => name),
    ['column_1', 'a', 'a_3', 'a_2', 'a_4'],
  );
});

test('columns are renamed, typed and skipped by options; a cell of another type rejects its row', async () => {
  const { opened, json, rejects } = await readFile('a,b,c,d\n1,007,x,true\n2,8,y,maybe\n', {
    columns: [
      { name: 'a', type: 'text', rename: 'id' },
      { name: 'b', type: 'integer' },
      { name: 'c', skip: true },
      { name: 'd', type: 'boolean' },
    ],
  });
  assert.deepEqual(opened.columns, [
    { name: 'id', type: 'text' },
    { name: 'b', type: 'integer' },
    { name: 'd', type: 'boolean' },
  ]);
  assert.deepEqual(json, ['{"id":"1","b":7,"d":true}']);
  assert.equal(rejects[0]!.reason, '"d" must be of type boolean, got "maybe".');
});

test('a column of record ids rejects the file, unless it is skipped', async () => {
  const file = '_koverse_record_id,a\nx,1\n';
  await assert.rejects(readFile(file), /a\.csv, line 1: it has a column "_koverse_record_id"/);
  const { json } = await readFile(file, { columns: [{ name: '_koverse_record_id', skip: true }] });
  assert.deepEqual(json, ['{"a":1}']);
});

test('blank lines are not rows, except in a table of one column', async () => {
  assert.deepEqual((await readFile('a,b\n\n1,2\n\n')).json, ['{"a":1,"b":2}']);
  assert.deepEqual((await readFile('a\n\nx\n')).json, ['{"a":null}', '{"a":"x"}']);
});

test('a row with bytes that are not UTF-8 is rejected, and the rows around it are stored', async () => {
  const bytes = Buffer.concat([
    Buffer.from(`a,b\n${'é,1\n'.repeat(70_000)}`),
    Buffer.from([0x4a, 0xe9, 0x2c, 0x31, 0x0a]),
    Buffer.from('ü,2\n'),
  ]);
  const { opened, rows, rejects } = await readFile(bytes);
  assert.equal(opened.encoding, 'utf-8');
  assert.equal(rows.length, 70_001);
  assert.equal(rejects.length, 1);
  assert.match(rejects[0]!.reason, /byte 0xE9 is not valid in UTF-8/);
});

test('encodings are detected by mark, validity and letters', async () => {
  const text = 'name,city\nJosé,Málaga\nFrançois,Orléans\n';
  const utf16 = Buffer.from(text, 'utf16le');
  for (const [bytes, encoding] of [
    [Buffer.from(text), 'utf-8'],
    [Buffer.from(`\ufeff${text}`), 'utf-8'],
    [Buffer.from(text, 'latin1'), 'windows-1252'],
    [utf16, 'utf-16le'],
    [Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'utf-16le'],
    [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be'],
  ] as const) {
    const { opened, json } = await readFile(bytes);
    assert.equal(opened.encoding, encoding);
    assert.deepEqual(json, ['{"name":"José","city":"Málaga"}', '{"name":"François","city":"Orléans"}']);
  }
});
