import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutCells } from './cut-cells.ts';

const cut = (record: string, fields: string[] | undefined, max: number, maxBytes?: number) =>
  cutCells(Buffer.from(record), fields === undefined ? undefined : new Set(fields), max, maxBytes);

test('cells keep the exact text of their values, and only the requested fields have cells', () => {
  const record =
    '{"n":9007199254740993,"big":1.50e3,"t":"a\\u00e9\\"b","o":{"x":[1,{"y":"}"}]},"e":"","z":null}';
  assert.deepEqual(cut(record, undefined, 100), { cells: record, cut: [] });
  assert.deepEqual(cut(record, ['o', 'n', 'absent'], 100), {
    cells: '{"n":9007199254740993,"o":{"x":[1,{"y":"}"}]}}',
    cut: [],
  });
  assert.deepEqual(cut('{}', undefined, 100), { cells: '{}', cut: [] });
});

test('a value that is too long is cut to the beginning of its text, and its field is named', () => {
  assert.deepEqual(cut('{"t":"abcdef","o":{"x":12345},"s":"abc"}', undefined, 3), {
    cells: '{"t":"abc","o":"{\\"x","s":"abc"}',
    cut: ['t', 'o'],
  });
  // Half of a surrogate pair would make the response invalid.
  assert.deepEqual(cut('{"t":"😀😀😀"}', undefined, 3), { cells: '{"t":"😀�"}', cut: ['t'] });
});

test('a field whose key is written with escapes is found by its name', () => {
  assert.deepEqual(cut('{"\\u0061":1,"b":2}', ['a'], 10), { cells: '{"\\u0061":1}', cut: [] });
});

test('values that do not fit into the bytes of all cells are null, and their fields are named', () => {
  const record = '{"a":"éé","b":"long enough","c":12,"d":"é","e":null,"f":false}';
  assert.deepEqual(cut(record, undefined, 100, 26), {
    cells: '{"a":"éé","b":null,"c":12,"d":"é","e":null,"f":null}',
    cut: ['b', 'f'],
  });
  assert.deepEqual(cut('{"a":"é","b":1}', undefined, 100, -5), { cells: '{"a":"é","b":1}', cut: [] });
  assert.deepEqual(cut('{"a":"abc","b":1}', undefined, 100, -5), { cells: '{"a":null,"b":1}', cut: ['a'] });
});
