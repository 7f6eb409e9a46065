import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { neededRights } from './clickhouse-rights.ts';

test('the documentation names just the rights that a start asks of a ClickHouse server', () => {
  const page = new URL('../../../../apps/docs/docs/operations/deployment.md', import.meta.url);
  const named = [...readFileSync(page, 'utf8').matchAll(/^GRANT (.*) TO redoubt;$/gm)].map(
    ([, right]) => right,
  );
  assert.deepEqual(named, neededRights('redoubt', true));
});
