import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import { readFile, readSamples } from '@redoubt/file-formats/testing';

type ReadWithSource = (
  text: string,
  revive: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;
/** `JSON.parse` with the third argument of its reviver, which the types of TypeScript do not have yet. */
const readWithSource = JSON.parse as ReadWithSource;

/** The cells of a row as in the file: numbers as texts with all their digits, and the empty text for an empty cell. */
const cellsOf = (json: string): Record<string, unknown> =>
  readWithSource(json, (_key, value, { source }) =>
    typeof value === 'number' ? source : (value ?? ''),
  ) as Record<string, unknown>;

/** The values of a record with each number as `{ number: its digits }`. */
const valuesOf = (json: string): unknown =>
  readWithSource(json, (_key, value, { source }) => (typeof value === 'number' ? { number: source } : value));

const { missing: skip, tables, documents } = await readSamples();

describe('the tables of bokeh-sampledata have the cells that pandas reads', { skip }, () => {
  test('there are at least twenty-five', () => {
    assert.ok(tables.length >= 25, String(tables.length));
  });
  for (const { path, rows } of tables) {
    test(basename(path), async () => {
      const { opened, json, rejects, error } = await readFile(readFileSync(path), {
        fileName: basename(path),
        header: true,
      });
      assert.equal(error, undefined);
      assert.deepEqual(rejects, []);
      assert.equal(json.length, rows.length);
      const names = opened.sourceColumns ?? [];
      const different = json.findIndex((row, index) => {
        const cells = cellsOf(row);
        return names.some((name, at) => cells[name] !== rows[index]?.[at]);
      });
      assert.equal(json[different], undefined, `pandas: ${JSON.stringify(rows[different])}`);
      assert.deepEqual(new Set(rows.map(({ length }) => length)), new Set([names.length]));
    });
  }
});

describe('the JSON files of bokeh-sampledata have the values that Python reads', { skip }, () => {
  test('there are six', () => {
    assert.equal(documents.length, 6);
  });
  for (const { path, rows } of documents) {
    test(basename(path), async () => {
      const { json, rejects, error } = await readFile(readFileSync(path), { fileName: basename(path) });
      assert.equal(error, undefined);
      assert.deepEqual(rejects, []);
      assert.deepEqual(json.map(valuesOf), rows);
    });
  }
});
