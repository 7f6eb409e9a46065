import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steps } from './steps.ts';

test('the same tests of the server run on PGlite and on PostgreSQL', () => {
  const [embedded, external, ...others] = steps.flatMap((step) =>
    step.kind === 'tests' && step.database !== undefined ? [step] : [],
  );
  assert.deepEqual(others, []);
  assert.deepEqual([embedded?.database, external?.database], ['pglite', 'postgres']);
  assert.deepEqual(embedded?.files, ['apps/server/**/*.test.ts']);
  assert.deepEqual([external?.files, external?.without], [embedded.files, embedded.without]);
});
