import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from '@redoubt/file-formats/testing';

const json = { fileName: 'a.json' };

test('the elements of a list are rows with the digits of their numbers', async () => {
  const content = '[{"a":12345678901234567890.10},\n {"b": 1e400}\n]';
  const { opened, rows } = await readFile(content, json);
  assert.equal(opened.format, 'json');
  assert.deepEqual(rows, [
    { kind: 'row', line: 1, offset: 1, json: '{"a":12345678901234567890.10}' },
    { kind: 'row', line: 2, offset: 33, json: '{"b": 1e400}' },
  ]);
});

test('a record over several lines is stored on one', async () => {
  const { json: rows } = await readFile('{\n  "a": [ 1,\n 2 ],\n "t": "x \\n y"\n}\n', json);
  assert.deepEqual(rows, ['{"a":[1,2],"t":"x \\n y"}']);
});

test('objects after each other are rows each', async () => {
  const { json: rows } = await readFile('{\n"a":1}\n{"a":2}{"a":3}', json);
  assert.deepEqual(rows, ['{"a":1}', '{"a":2}', '{"a":3}']);
});

test('values that are not objects, and objects with a key twice, are rejected', async () => {
  const { rejects, rows } = await readFile(
    '[1, "x", [2], null, {"a":1,"\\u0061":2}, {"b":{"c":1,"c":1}}, {"ok":1}]',
    json,
  );
  assert.deepEqual(
    rejects.map(({ reason }) => reason),
    [
      'a record must be an object, got a number.',
      'a record must be an object, got a text.',
      'a record must be an object, got a list.',
      'a record must be an object, got null.',
      'an object has the key "a" twice, and only one value could be kept.',
      'an object has the key "c" twice, and only one value could be kept.',
    ],
  );
  assert.equal(rows.length, 1);
});

test('JSON that is not valid ends the file with its line, after the rows before it', async () => {
  const { rows, error } = await readFile('[{"a":1},\n{"a":2},\n{"a":01}]', json);
  assert.equal(rows.length, 2);
  assert.match(String(error), /a\.json, line 3: invalid JSON: expected "," or "}", found "1"/);
});

test('JSON that is cut off is an error', async () => {
  const { rows, error } = await readFile('[{"a":1},{"a":2}', json);
  assert.equal(rows.length, 2);
  assert.match(String(error), /ends before all of its lists and objects are closed/);
});

test('a row that is too long or too deep is rejected, and the next one is read', async () => {
  const long = `{"a":"${'x]}\\"'.repeat(100)}"}`;
  const deep = `{"a":${'['.repeat(5)}${']'.repeat(5)}}`;
  const limits = { maxRowLength: 100, maxNesting: 5 };
  const { all } = await readFile(`[{"n":1},\n${long},\n${deep},\n{"n":2}]`, { ...json, limits }, [7]);
  assert.deepEqual(
    all.map((row) => [row.kind, row.line, row.kind === 'row' ? row.json : row.reason]),
    [
      ['row', 1, '{"n":1}'],
      ['reject', 2, 'it has 508 characters; a record may have up to 100.'],
      ['reject', 3, 'its objects and lists are nested 6 deep; up to 5 are supported.'],
      ['row', 4, '{"n":2}'],
    ],
  );
});

test('a record with a record id rejects the file, unless the key is skipped', async () => {
  const content = '[{"a":1},{"_koverse_record_id":"x","a":2}]';
  const { error } = await readFile(content, json);
  assert.match(String(error), /a record has the key "_koverse_record_id"/);
  const { json: rows } = await readFile(content, {
    ...json,
    columns: [{ name: '_koverse_record_id', skip: true }],
  });
  assert.deepEqual(rows, ['{"a":1}', '{"a":2}']);
});

test('keys of records are renamed, typed and skipped by options', async () => {
  const { json: rows, rejects } = await readFile('[{"a":"007","b":1,"c":{"x":1}},{"a":"x"},{"B":1,"b":2}]', {
    ...json,
    columns: [
      { name: 'a', type: 'integer' },
      { name: 'b', rename: 'B', type: 'text' },
      { name: 'c', skip: true },
    ],
  });
  assert.deepEqual(rows, ['{"a":7,"B":"1"}']);
  assert.deepEqual(
    rejects.map(({ reason }) => reason),
    ['"a" must be of type integer, got "\\"x\\"".', 'two of its values would be stored as "B".'],
  );
});

test('features of a collection become rows, in any order of its members', async () => {
  const features = '[{"type":"Feature","id":1},{"type":"Feature","id":2}]';
  for (const content of [
    `{"type":"FeatureCollection","crs":{"x":[1]},"features":${features},"bbox":[1]}`,
    `{"features":${features},"type":"FeatureCollection"}`,
  ]) {
    const { opened, json: rows } = await readFile(content, { fileName: 'a.json' });
    assert.equal(opened.format, 'geojson');
    assert.deepEqual(rows, ['{"type":"Feature","id":1}', '{"type":"Feature","id":2}']);
  }
});

test('each line of an NDJSON file is a row, and a line that is not an object is rejected alone', async () => {
  const content = '{"a":1}\r\n\n{"a":\n[1]\n{"a":1} x\n{"a":"x"}';
  const { opened, all } = await readFile(content, { fileName: 'a.ndjson' });
  assert.equal(opened.format, 'ndjson');
  assert.deepEqual(
    all.map((row) => [row.kind, row.line, row.offset, row.kind === 'row' ? row.json : row.reason]),
    [
      ['row', 1, 0, '{"a":1}'],
      ['reject', 3, 10, 'invalid JSON at its character 6: expected a JSON value, but the text ends.'],
      ['reject', 4, 16, 'a record must be an object, got a list.'],
      ['reject', 5, 20, 'invalid JSON at its character 9: expected the end of the line after the object.'],
      ['row', 6, 30, '{"a":"x"}'],
    ],
  );
});

test('objects on lines are NDJSON whatever the file is called', async () => {
  for (const fileName of ['a.json', 'a.csv', 'a']) {
    const { opened } = await readFile('{"a":1}\n{"a":2}\n', { fileName });
    assert.equal(opened.format, 'ndjson');
  }
});

test('a table whose first cell begins with a bracket is a table', async () => {
  const { opened, json: rows } = await readFile('[id],[name]\n1,x\n');
  assert.equal(opened.format, 'csv');
  assert.deepEqual(rows, ['{"[id]":1,"[name]":"x"}']);
});
