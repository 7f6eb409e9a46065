import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const testStep = join(import.meta.dirname, 'test-step.ts');

/** The output of a step that runs these files in a process of its own, with its counts as the last line. */
function outputOf(
  files: Record<string, string>,
  step: object = { ownProcess: ['*'] },
  environment: Record<string, string> = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'redoubt-step-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const script = `
      import { filesOf, runTestStep } from ${JSON.stringify(testStep)};
      const step = ${JSON.stringify({ kind: 'tests', name: 'a', files: ['*.test.ts'], without: [], ...step })};
      const counts = await runTestStep(step, filesOf(step), { signal: new AbortController().signal });
      console.log(JSON.stringify(counts));`;
    writeFileSync(join(folder, 'step.ts'), script);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(process.execPath, ['step.ts'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...env, ...environment },
    }).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const countsOf = (output: string): unknown => JSON.parse(output.trim().split('\n').at(-1) ?? '');

test('a test run counts each test once; suites, tests with subtests and files do not count themselves', () => {
  const output = outputOf({
    'a.test.ts': `
      import { describe, test } from 'node:test';
      describe('suite', () => {
        test('holds two', async (t) => {
          await t.test('one', () => {});
          await t.test('two', () => { throw new Error('two is wrong'); });
        });
        test('three', () => {});
        test.skip('four', () => {});
      });`,
    'b.test.ts': `import { test } from 'node:test'; test('five', () => {});`,
  });
  assert.deepEqual(countsOf(output), { passed: 3, failed: 1, skipped: 1 });
  assert.match(output, /✖ suite > holds two > two \(a\.test\.ts:6\)\n {2}Error: two is wrong/);
});

test('diagnostics of a test are shown, and the totals of a run are not', () => {
  const output = outputOf({
    'a.test.ts': `import { test } from 'node:test'; test('one', (t) => { t.diagnostic('12 examples'); });`,
  });
  assert.deepEqual(countsOf(output), { passed: 1, failed: 0, skipped: 0 });
  assert.match(output, /^ {2}12 examples$/m);
  assert.doesNotMatch(output, /duration_ms/);
});

test('the reason of skipped tests is printed once', () => {
  const output = outputOf({
    'a.test.ts': `
      import { describe, test } from 'node:test';
      test('one', { skip: 'there is no moon' }, () => {});
      describe('suite', { skip: 'there is no moon' }, () => { test('two', () => {}); });
      test.skip('three', () => {});`,
  });
  assert.deepEqual(countsOf(output), { passed: 0, failed: 0, skipped: 3 });
  assert.deepEqual(output.match(/Skipped: .*/g), ['Skipped: there is no moon']);
});

test('a test file that ends early or contains no test fails', () => {
  const output = outputOf({ 'a.test.ts': `throw new Error('boom');`, 'b.test.ts': 'export {};' });
  assert.deepEqual(countsOf(output), { passed: 0, failed: 2, skipped: 0 });
  assert.match(output, /a\.test\.ts:1 ended early\n[^]*Error: boom/);
  assert.match(output, /b\.test\.ts:1 contains no test/);
});

test('a failing hook is counted, even if the tests of its suite pass', () => {
  const output = outputOf({
    'a.test.ts': `
      import { after, describe, test } from 'node:test';
      describe('suite', () => {
        test('one', () => {});
        after(() => { throw new Error('left a mess'); });
      });`,
  });
  assert.deepEqual(countsOf(output), { passed: 1, failed: 1, skipped: 0 });
});

test('files that share processes are counted and reported like files with their own process', () => {
  const output = outputOf(
    {
      'a.test.ts': `
        import { after, before, describe, test } from 'node:test';
        let ready = false;
        before(async () => { await new Promise((resolve) => setTimeout(resolve, 50)); ready = true; });
        after(() => { ready = false; });
        test('one', () => { if (!ready) throw new Error('one is early'); });
        describe('suite', () => {
          test('two', () => { throw new Error(ready ? 'two is wrong' : 'two is early'); });
        });`,
      'b.test.ts': `import { test } from 'node:test'; test('three', () => {}); test.skip('four', () => {});`,
      'c.test.ts': `throw new Error('boom');`,
      'd.test.ts': 'export {};',
    },
    { ownProcess: [] },
  );
  assert.deepEqual(countsOf(output), { passed: 2, failed: 3, skipped: 1 });
  assert.match(output, /✖ suite > two \(a\.test\.ts:8\)\n {2}Error: two is wrong/);
  assert.match(output, /c\.test\.ts:1 failed as a whole\n[^]*Error: boom/);
  assert.match(output, /d\.test\.ts:1 contains no test/);
});

test('errors that tests cause after their end are reported in shared processes as well', () => {
  const output = outputOf(
    {
      'a.test.ts': `
        import { describe, test } from 'node:test';
        import { createServer } from 'node:http';
        const wait = () => new Promise((resolve) => setTimeout(resolve, 100));
        describe('suite', () => {
          test('one', async (t) => {
            await wait();
            await t.test('inner', async () => {
              await wait();
              void Promise.resolve().then(() => { throw new Error('nobody waits'); });
              await wait();
            });
          });
          test('two', async () => {
            await wait();
            setTimeout(() => { throw new Error('a timer fails'); }, 10);
            await wait();
          });
          test('three', async () => {
            const { promise: asked, resolve } = Promise.withResolvers();
            const server = createServer(() => { resolve(); throw new Error('a server fails'); });
            await new Promise((ready) => server.listen(0, ready));
            fetch('http://127.0.0.1:' + server.address().port).catch(() => {});
            await asked;
            await wait();
            server.closeAllConnections();
            server.close();
          });
          test('four', wait);
        });`,
      'b.test.ts': `
        import { test } from 'node:test';
        test('five', () => void setTimeout(() => { throw new Error('too late'); }, 10));
        test('six', () => new Promise((resolve) => setTimeout(resolve, 100)));`,
    },
    { ownProcess: [] },
  );
  assert.match(output, /✖ suite > one > inner \(a\.test\.ts:8\)\n {2}Error: nobody waits/);
  assert.match(output, /✖ suite > two \(a\.test\.ts:14\)\n {2}Error: a timer fails/);
  assert.match(output, /✖ suite > three \(a\.test\.ts:19\)\n {2}Error: a server fails/);
  assert.match(output, /Test "five" at b\.test\.ts:3:9 generated asynchronous activity[^]*too late/);
  assert.deepEqual(countsOf(output), { passed: 3, failed: 4, skipped: 0 });
});

test('a file that ends its shared process fails by its name, and the others still run', () => {
  const endless = `import { test } from 'node:test'; test('one', () => { console.log('so it ends'); process.exit(0); });`;
  const output = outputOf(
    { 'a.test.ts': endless, 'b.test.ts': `import { test } from 'node:test'; test('two', () => {});` },
    { ownProcess: [] },
  );
  const { passed, failed } = countsOf(output) as { passed: number; failed: number };
  assert.equal(passed, 1);
  assert.ok(failed > 0);
  assert.match(output, /a\.test\.ts:1 did not run to its end/);
});

test('a run without progress is stopped and names the running test', () => {
  const still = `
    import { test } from 'node:test';
    setInterval(() => {}, 1000);
    test('one', () => {});
    test('two', () => new Promise(() => {}));`;
  for (const step of [{ ownProcess: ['*'] }, { ownProcess: [] }]) {
    const output = outputOf({ 'a.test.ts': still }, step, { REDOUBT_TEST_PATIENCE_MINUTES: '0.2' });
    assert.match(output, /✖ nothing has happened for 0.2 minutes in (a\.test\.ts:1 > )?two\n/);
    assert.equal((countsOf(output) as { passed: number }).passed, 1);
  }
});

test('a step without test files fails', () => {
  assert.deepEqual(countsOf(outputOf({})), { passed: 0, failed: 1, skipped: 0 });
});

test('an uncovered branch in a file that requires coverage fails the step and is named', () => {
  const output = outputOf(
    {
      'a.ts': `export const sign = (n: number) =>\n  n < 0\n    ? -1\n    : 1;\n`,
      'a.test.ts': `import { test } from 'node:test'; import { sign } from './a.ts'; test('one', () => { sign(1); });`,
    },
    { covers: { files: 'a.ts', entry: './a.ts' } },
  );
  assert.deepEqual(countsOf(output), { passed: 1, failed: 1, skipped: 0 });
  assert.match(output, /a\.ts: no test runs/);
});
