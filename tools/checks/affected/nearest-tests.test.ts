import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { nearestTests } from './nearest-tests.ts';

/** The tests that a change reaches in a tree of these files. */
const nearest = (files: Record<string, string>, changed: string[]): string[] => {
  const root = mkdtempSync(join(tmpdir(), 'redoubt-tree-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const tests = Object.keys(files).filter((file) => file.endsWith('.test.ts'));
    return nearestTests(changed, tests, root);
  } finally {
    rmSync(root, { recursive: true });
  }
};

const tree = {
  'packages/a/package.json': '{"name":"@redoubt/a","exports":{".":"./src/index.ts"}}',
  'packages/a/src/index.ts': `export { one } from './one/one.ts';\nexport { two } from './two/two.ts';`,
  'packages/a/src/one/one.ts': 'export const one = 1;',
  'packages/a/src/one/one.test.ts': `import { one } from './one.ts';`,
  'packages/a/src/two/two.ts': 'export const two = 2;',
  'packages/a/src/two/two.test.ts': `import { two } from './two.ts';`,
  'apps/server/src/features/b/b.service.ts': `import {\n  one,\n} from '@redoubt/a';`,
  'apps/server/src/features/b/rows/rows.test.ts': `import { send } from '@redoubt/kit';`,
  'apps/server/src/features/c/c.service.ts': `import { two } from '@redoubt/a';`,
  'apps/server/src/features/c/c.test.ts': `import { send } from '@redoubt/kit';`,
  'apps/server/src/features/d/d.ts': `import type { one } from '@redoubt/a';`,
  'apps/server/src/features/d/d.test.ts': `import { start } from './d.ts';`,
  'apps/server/src/features/e/worker.ts': '',
  'apps/server/src/features/e/start.ts': `new Worker(new URL('./worker.ts', import.meta.url));`,
  'testing/e.test.ts': `import { start } from '../apps/server/src/features/e/start.ts';`,
};

test('a change reaches the tests of its folder, and then those of features that use it through an index', () => {
  assert.deepEqual(nearest(tree, ['packages/a/src/one/one.ts']), [
    'packages/a/src/one/one.test.ts',
    'apps/server/src/features/b/rows/rows.test.ts',
  ]);
});

test('an import of types reaches no test', () => {
  assert.ok(!nearest(tree, ['packages/a/src/one/one.ts']).includes('apps/server/src/features/d/d.test.ts'));
});

test('a change of a program reaches the tests of those who start it', () => {
  assert.deepEqual(nearest(tree, ['apps/server/src/features/e/worker.ts']), ['testing/e.test.ts']);
});

test('a changed test is reached first, and a change of text nothing', () => {
  assert.equal(
    nearest(tree, ['apps/server/src/features/c/c.test.ts'])[0],
    'apps/server/src/features/c/c.test.ts',
  );
  assert.deepEqual(nearest(tree, ['README.md']), []);
});

test('in this repository, a change of a feature reaches its own tests first, and later the two worlds', () => {
  const tests = globSync('{apps,packages,testing}/**/*.test.ts', { exclude: ['**/node_modules/**'] });
  const reached = nearestTests(['apps/server/src/features/groups/group.service.ts'], tests);
  assert.match(reached[0] ?? '', /^apps\/server\/src\/features\/groups\//);
  assert.ok(reached.includes('testing/two-worlds/src/two-worlds.test.ts'));
});
