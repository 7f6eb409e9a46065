import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sqlGoldenFile, sqlGoldenText } from './golden-sql.ts';
import { sqlCases } from './sql-cases.ts';

const cases = Object.entries(sqlCases);

for (const [name, statement] of cases) {
  test(`the compiled SQL of "${name}" is the reviewed one`, async () => {
    assert.equal(await sqlGoldenText(statement), readFileSync(sqlGoldenFile(name), 'utf8'));
  });
}

test('every golden file of SQL belongs to a statement', () => {
  const files = readdirSync(new URL('./sql/', import.meta.url));
  assert.deepEqual(files.toSorted(), cases.map(([name]) => `${name}.golden.sql`).toSorted());
});

test('in compiled SQL, the label predicate directly follows each table name', async () => {
  const table = /`redoubt`\.`ds_\d`/g;
  const filtered =
    / FROM (?:`redoubt`\.`ds_1` PREWHERE toUInt16\(least\(label_id, 65535\)\) IN \(0,2\)|`redoubt`\.`ds_[23]` PREWHERE toUInt16\(least\(label_id, 65535\)\) IN \(1\))\)/g;
  let tables = 0;
  for (const [name, statement] of cases) {
    const text = await sqlGoldenText(statement);
    const named = text.match(table)?.length ?? 0;
    assert.equal(
      text.match(filtered)?.length ?? 0,
      named,
      `${name} names a table without the label predicate`,
    );
    tables += named;
  }
  assert.ok(tables > cases.length, 'most statements name tables');
});
