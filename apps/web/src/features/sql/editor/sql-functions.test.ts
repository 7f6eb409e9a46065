import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sqlFunctions } from './sql-functions.ts';

const page = join(import.meta.dirname, '../../../../../docs/docs/reference/sql.md');

test('the editor completes exactly the functions that the SQL reference documents', () => {
  const text = readFileSync(page, 'utf8');
  const functions = text.slice(text.indexOf('## Functions'), text.indexOf('## Differences'));
  const names = functions
    .split('\n')
    .map((line) => /^- ((?:`[^`]+`(?:, )?)+):/.exec(line)?.[1] ?? '')
    .flatMap((calls) => [...calls.matchAll(/`([a-z_]\w*)/g)].map(([, name]) => name ?? ''));
  assert.deepEqual(
    [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1)),
    sqlFunctions,
  );
});
