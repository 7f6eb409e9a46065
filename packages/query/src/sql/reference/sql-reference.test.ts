import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { renderSqlReference, unexplained, sqlReferencePath } from './sql-reference.ts';

test('the page about SQL lists what the compiler supports', () => {
  assert.equal(readFileSync(sqlReferencePath, 'utf8'), renderSqlReference());
});

test('the page says what every function returns', () => {
  assert.deepEqual(unexplained(), []);
});

test('the page lists no unsupported function', () => {
  const page = renderSqlReference();
  for (const absent of ['pg_sleep', 'width_bucket', 'jsonb_object_agg', 'random'])
    assert.ok(!page.includes(`${absent}(`), absent);
  for (const present of ['`round(numeric, integer)`', '`count(*)`', '`row_number`'])
    assert.ok(page.includes(present), present);
});
