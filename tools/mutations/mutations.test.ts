import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';
import { describeLostExpression, runMutation } from './run-mutation.ts';
import { createWorkingCopy } from './working-copy.ts';

const sources = {
  'package.json': '{"type":"module"}',
  'packages/sum/package.json': '{"name":"@small/sum","type":"module","exports":"./sum.ts"}',
  'packages/sum/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\n',
  'sum.test.ts': `import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '@small/sum';
test('two and three (in any order) are five', () => equal(sum(3, 2), 5));
test('nothing is zero', () => equal(sum(0, 0), 0));
test('later', { skip: 'not now' }, () => equal(sum(0, 0), 1));
`,
};
const files = Object.keys(sources);

/** Writes a checkout whose test imports a workspace by its name, and makes a copy of it. */
const copyOfSmall = (t: TestContext): { root: string; folder: string } => {
  const root = mkdtempSync(join(tmpdir(), 'redoubt-small-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(sources)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  mkdirSync(join(root, 'node_modules/@small'), { recursive: true });
  symlinkSync('../../packages/sum', join(root, 'node_modules/@small/sum'));
  return { root, folder: createWorkingCopy(root, files).folder };
};

const minus: Mutation = {
  name: 'sum',
  file: 'packages/sum/sum.ts',
  expression: 'a + b',
  replacement: 'a - b',
  test: { file: 'sum.test.ts', name: 'two and three (in any order) are five' },
  reason: '1 !== 5',
};

test('a mutation that its test catches passes, and neither the checkout nor the copy keeps it', async (t) => {
  const { root, folder } = copyOfSmall(t);
  assert.equal(await runMutation(folder, minus), undefined);
  for (const where of [root, folder])
    assert.equal(readFileSync(join(where, minus.file), 'utf8'), sources['packages/sum/sum.ts']);
});

test('a mutation whose expression is gone or is there twice fails', async (t) => {
  const { folder } = copyOfSmall(t);
  assert.match(
    (await runMutation(folder, { ...minus, expression: 'a * b' })) ?? '',
    /sum\.ts must contain the expression exactly once, got 0 times: a \* b/,
  );
  assert.match((await runMutation(folder, { ...minus, expression: 'number' })) ?? '', /got 3 times/);
  assert.match((await runMutation(folder, { ...minus, file: 'gone.ts' })) ?? '', /gone\.ts does not exist/);
});

test('a mutation fails if its test passes, is skipped or absent, or fails for another reason', async (t) => {
  const { folder } = copyOfSmall(t);
  const named = (name: string): Mutation => ({ ...minus, test: { ...minus.test, name } });
  assert.match((await runMutation(folder, named('nothing is zero'))) ?? '', /"nothing is zero" passes/);
  assert.match((await runMutation(folder, named('later'))) ?? '', /"later" was skipped/);
  assert.match((await runMutation(folder, named('two and three'))) ?? '', /did not run "two and three"/);
  assert.match(
    (await runMutation(folder, { ...minus, replacement: 'a.b' })) ?? '',
    /must fail with "1 !== 5", got:/,
  );
  assert.match((await runMutation(folder, { ...minus, replacement: '(' })) ?? '', /did not run/);
});

test('the expression of each mutation is in its file exactly once', () => {
  assert.deepEqual(
    mutations.flatMap((mutation) => describeLostExpression('.', mutation) ?? []),
    [],
  );
});
