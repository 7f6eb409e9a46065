import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from '@redoubt/file-formats/testing';
import type { FileOptions } from '../file-format.ts';

/** The label fields of the rejected rows of a text. */
const fieldsOf = async (
  content: string | Uint8Array,
  options: Partial<FileOptions> = {},
): Promise<(string | undefined)[]> => {
  const { rejects } = await readFile(content, { labelFields: ['label'], ...options });
  return rejects.map(({ fields }) => fields);
};
const integer = [{ name: 'n', type: 'integer' }] as const;

test('a row of a table is rejected with its label, where its cells have columns', async () => {
  const text = 'n,label,m\nx,A&B,1\n1,A\n1,A,2,3\ny,,1\nz,"",1\n1,B,2\n';
  assert.deepEqual(await fieldsOf(text, { columns: integer }), [
    '{"label":"A&B"}',
    undefined,
    undefined,
    '{"label":null}',
    '{"label":""}',
  ]);
  assert.deepEqual(await fieldsOf(text, { columns: integer, labelFields: [] }), [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('columns are looked for under the names that they are stored under', async () => {
  const columns = [...integer, { name: 'secret', rename: 'label' }];
  assert.deepEqual(await fieldsOf('n,secret\nx,A\n', { columns }), ['{"label":"A"}']);
  const lines = '{"n":"x","secret":"A"}\n{"n":1,"n":2,"secret":"B"}\n{"n":"y","secret":"A","label":"B"}\n';
  assert.deepEqual(await fieldsOf(lines, { fileName: 'a.ndjson', columns }), [
    '{"label":"A"}',
    '{"label":"B"}',
    // Two values would be stored as the label.
    undefined,
  ]);
  const skipped = [...columns, { name: 'label', skip: true }];
  assert.deepEqual(await fieldsOf(lines, { fileName: 'a.ndjson', columns: skipped }), [
    '{"label":"A"}',
    '{"label":"B"}',
    '{"label":"A"}',
  ]);
});

test('a record that is not clear is rejected without a label', async () => {
  const lines = [
    '{"n":1,"n":2,"label":"A","label":"B"}',
    '{"n":1,"n":2,"label":{"a":"A","a":"B"}}',
    '{"n":1,"label":"A"',
    '["A"]',
    '{"n":1,"n":2}',
  ];
  assert.deepEqual(await fieldsOf(lines.join('\n'), { fileName: 'a.ndjson' }), [
    undefined,
    undefined,
    undefined,
    undefined,
    '{}',
  ]);
  // Bytes that are no text in the label, and in another column.
  const bytes = Buffer.concat([
    Buffer.from('n,label\n1,A'),
    Buffer.from([0xff]),
    Buffer.from('\n'),
    Buffer.from([0xff]),
    Buffer.from(',A\n'),
  ]);
  assert.deepEqual(await fieldsOf(bytes, { encoding: 'utf-8' }), [undefined, '{"label":"A"}']);
});

test('fields with dots are looked for at the top and inside', async () => {
  const lines = '{"n":1,"n":2,"a":{"b":"A"},"a.b":"B","c":"C"}';
  assert.deepEqual(await fieldsOf(lines, { fileName: 'a.ndjson', labelFields: ['a.b'] }), [
    '{"a":{"b":"A"},"a.b":"B"}',
  ]);
});

test('elements and maps are rejected with their label', async () => {
  const xml = '<rows><row><n>x</n><label>A</label></row><row><n>1</n><label>B</label></row></rows>';
  assert.deepEqual(await fieldsOf(xml, { fileName: 'a.xml', columns: integer }), ['{"label":"A"}']);
  const yaml = '- n: x\n  label: A\n- n: 1\n  label: B\n';
  assert.deepEqual(await fieldsOf(yaml, { fileName: 'a.yaml', columns: integer }), ['{"label":"A"}']);
});
