import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { neededRights } from './clickhouse-rights.ts';

test('the documentation names just the rights that a start asks of a ClickHouse server', () => {
  for (const page of ['README.md', 'apps/docs/docs/operations/deployment.md']) {
    const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');
    const named = [...text.matchAll(/^GRANT (.*) TO redoubt;$/gm)].map(([, right]) => right);
    assert.deepEqual(named.toSorted(), neededRights('redoubt').toSorted(), page);
  }
});
