import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { neededRights } from './clickhouse-rights.ts';

test('the documentation names just the rights that a start asks of a ClickHouse server', () => {
  for (const [page, isCluster] of [
    ['README.md', false],
    ['apps/docs/docs/operations/deployment.md', true],
  ] as const) {
    const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');
    const named = [...text.matchAll(/^GRANT (.*) TO redoubt;$/gm)].map(([, right]) => right);
    assert.deepEqual(named, neededRights('redoubt', isCluster), page);
  }
});
