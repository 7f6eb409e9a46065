import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatPage, withFormatTable } from './format-table.ts';

test('the page of supported file types lists the formats', () => {
  const page = readFileSync(formatPage, 'utf8');
  assert.equal(page, withFormatTable(page), 'Run "npm run docs:generate".');
});

test('a page without a place for the table is an error', () => {
  assert.throws(() => withFormatTable('# Page'), /no place for the generated table/);
});
