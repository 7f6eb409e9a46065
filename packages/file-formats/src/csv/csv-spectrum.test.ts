import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readFile } from '@redoubt/file-formats/testing';

const folder = dirname(fileURLToPath(import.meta.resolve('csv-spectrum')));
/** The expected result of this table is wrong: it has another telephone number than the table. */
const wrongExpectation = 'location_coordinates.csv';

for (const name of readdirSync(join(folder, 'csvs'))) {
  test(`csv-spectrum: ${name}`, async () => {
    const bytes = readFileSync(join(folder, 'csvs', name));
    const { opened } = await readFile(bytes);
    const columns = (opened.columns ?? []).map((column) => ({ name: column.name, type: 'text' as const }));
    for (const sizes of [[1], [65_536]]) {
      const { json, rejects } = await readFile(bytes, { columns }, sizes);
      assert.deepEqual(rejects, []);
      const rows = json.map((row) => JSON.parse(row.replaceAll(':null', ':""')) as unknown);
      const expected: unknown = JSON.parse(
        readFileSync(join(folder, 'json', name.replace(/csv$/, 'json')), 'utf8'),
      );
      if (name === wrongExpectation) assert.equal(rows.length, 1);
      else assert.deepEqual(rows, expected);
    }
  });
}
