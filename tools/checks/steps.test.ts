import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { engineOnlyTests, steps } from './steps.ts';
import { filesOf } from './test-step.ts';

test('every run of the tests checks types, format, lint, structure and dead code', () => {
  const commands = steps.flatMap((step) => (step.kind === 'command' ? [step.name] : []));
  assert.deepEqual(commands, ['types', 'format', 'lint', 'structure', 'dead-code', 'prose']);
});

test('the server tests run on PGlite, and those that can depend on it on PostgreSQL, too', () => {
  const [embedded, external, ...others] = steps.flatMap((step) =>
    step.kind === 'tests' && step.name.startsWith('http-') && step.engine === undefined ? [step] : [],
  );
  assert.deepEqual(others, []);
  assert.deepEqual([embedded?.database, external?.database], ['pglite', 'postgres']);
  assert.deepEqual(embedded?.files, [
    'apps/server/**/*.test.ts',
    'testing/{access-walk,two-worlds}/src/*.test.ts',
  ]);
  assert.deepEqual(
    [external?.files, external?.without],
    [embedded.files, [...embedded.without, ...engineOnlyTests]],
  );
});

test('the tests that run on one metadata engine exist, and none uses metadata itself', () => {
  for (const pattern of engineOnlyTests) assert.ok(globSync(pattern).length > 0, pattern);
  const using = globSync([...engineOnlyTests]).filter((file) =>
    /acquireTestDatabase|repository|\bdb[,.:]/.test(readFileSync(file, 'utf8')),
  );
  assert.deepEqual(using, ['apps/server/src/platform/db/pglite-statements.test.ts']);
});

test('the tests that compare SQL with PostgreSQL are in the step that has one', () => {
  const sql = steps.find((step) => step.name === 'sql');
  assert.ok(sql?.kind === 'tests' && sql.database === 'postgres');
  const comparing = globSync('testing/**/*.test.ts', { exclude: ['**/node_modules/**'] }).filter((file) =>
    readFileSync(file, 'utf8').includes("from './suite.ts'"),
  );
  assert.ok(comparing.length > 0);
  assert.deepEqual(filesOf(sql, undefined), comparing.toSorted());
});
