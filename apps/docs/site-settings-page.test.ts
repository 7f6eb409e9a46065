/* Shows: A-settings-table */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { siteSettings } from './site-settings.ts';

const page = readFileSync(join(import.meta.dirname, 'docs/operations/building-the-site.md'), 'utf8');

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('`', '').trim());

test('the page about building the site lists every setting with its default and what it does', () => {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `DOCS_'))
    .map(cellsOf);
  assert.deepEqual(
    rows,
    Object.entries(siteSettings).map(([name, setting]) => [name, setting.default, setting.description]),
  );
});
