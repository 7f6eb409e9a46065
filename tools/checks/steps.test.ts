/* Shows: A-two-engines, A-import-rules */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { test } from 'node:test';
import { selectSteps } from './select-steps.ts';
import { engineOnlyTests, steps } from './steps.ts';
import { filesOf } from './test-step.ts';

test('every run of the tests checks types, format, lint, structure, dead code and prose', () => {
  const commands = steps.filter(({ kind, budget }) => kind === 'command' && budget !== undefined);
  assert.deepEqual(
    commands.map(({ name }) => name),
    ['types', 'format', 'lint', 'structure', 'dead-code', 'prose'],
  );
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

test('a short run has the access walk, the two worlds, kills, and a smoke of the console and the site', () => {
  const run = selectSteps({ isFull: false, only: undefined, files: undefined, changed: undefined, seed: '' });
  const files = new Map(run.map(({ step, files }) => [step.name, files]));
  for (const [name, file] of [
    ['http-pglite', 'testing/access-walk/src/access-walk.test.ts'],
    ['http-pglite', 'testing/two-worlds/src/two-worlds.test.ts'],
    ['http-pglite', 'testing/two-worlds/src/reads.test.ts'],
    ['http-postgres', 'apps/server/src/platform/db/database.test.ts'],
    ['process', 'apps/server/src/process/crash.test.ts'],
    ['process', 'apps/server/src/process/ingest-crash.test.ts'],
    ['docs', 'apps/docs/test/source-links.test.ts'],
    ['web', 'apps/web/test/console.test.ts'],
  ] as const)
    assert.ok(files.get(name)?.includes(file), `${name} has no ${file}`);
});

test('a full run has every test file of the repository', () => {
  const run = selectSteps({ isFull: true, only: undefined, files: undefined, changed: undefined, seed: '' });
  const all = globSync('{apps,packages,testing,bench,tools}/**/*.test.ts', {
    exclude: ['**/node_modules/**'],
  });
  assert.deepEqual([...new Set(run.flatMap(({ files }) => files))].toSorted(), all.toSorted());
});

test('the globs of files that only a full run has, or that need a process, match files', () => {
  for (const step of steps) {
    if (step.kind === 'command') continue;
    for (const glob of [...(step.fullOnly ?? []), ...(step.shortToo ?? []), ...(step.ownProcess ?? [])])
      assert.ok(
        filesOf(step).some((file) => matchesGlob(file, glob)),
        `${step.name}: ${glob}`,
      );
  }
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
  assert.deepEqual(filesOf(sql), comparing.toSorted());
});
