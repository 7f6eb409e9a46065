import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steps } from './steps.ts';

test('every run of the tests checks the house itself: format, lint, types, structure and dead code', () => {
  const commands = steps.flatMap((step) => (step.kind === 'command' ? [step.name] : []));
  assert.deepEqual(commands, ['format', 'lint', 'types', 'structure', 'dead-code']);
});

test('the same tests of the server run on PGlite and on PostgreSQL', () => {
  const [embedded, external, ...others] = steps.flatMap((step) =>
    step.kind === 'tests' && step.name.startsWith('http-') && step.engine === undefined ? [step] : [],
  );
  assert.deepEqual(others, []);
  assert.deepEqual([embedded?.database, external?.database], ['pglite', 'postgres']);
  assert.deepEqual(embedded?.files, ['apps/server/**/*.test.ts']);
  assert.deepEqual([external?.files, external?.without], [embedded.files, embedded.without]);
});
