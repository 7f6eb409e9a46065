import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findPostgres } from './find-postgres.ts';
import { steps } from './steps.ts';
import { filesOf } from './test-step.ts';

/** Scripts that take long. Each has tests that run all of its code with little data. */
const shortForms: Readonly<Record<string, readonly string[]>> = {
  bench: ['bench/src/benchmark.test.ts'],
  // `npm test` also runs the other tests of this script on the embedded engine, and the tests of records on ClickHouse.
  'test:clickhouse': ['apps/server/src/process/clickhouse.test.ts'],
  'test:crash': ['apps/server/src/process/crash.test.ts'],
  'test:documents': [
    'apps/server/src/features/ingest/parser/document-corpus.test.ts',
    'apps/server/src/features/ingest/text-recognition.test.ts',
  ],
  'test:files': ['apps/server/src/process/hostile-files.test.ts'],
  'test:ingest': [
    'apps/server/src/process/ingest-crash.test.ts',
    'apps/server/src/features/ingest/kafka-ingest.test.ts',
    'apps/server/src/features/ingest/s3-ingest.test.ts',
    'apps/server/src/features/connections/connections.test.ts',
  ],
  'test:large': ['testing/two-worlds/src/large-values.test.ts'],
  'test:large-file': ['apps/server/src/process/large-file.test.ts'],
  'test:mutations': ['tools/mutations/mutations.test.ts'],
  'test:schema': ['apps/server/src/process/api-schema.test.ts'],
  'test:soak': ['testing/soak/src/soak.test.ts'],
  'test:sql': ['testing/sql-fuzzer/src/sql-against-postgres.test.ts', 'tools/checks/long-scripts.test.ts'],
  'test:stop': ['apps/server/src/process/stop.test.ts'],
  'test:worlds': [
    'testing/two-worlds/src/store/two-worlds.test.ts',
    'testing/two-worlds/src/store/two-worlds-timing.test.ts',
    'tools/checks/long-scripts.test.ts',
  ],
  'web:budget': ['apps/web/test/budget/budget.test.ts'],
  'web:screenshots': ['apps/web/test/pictures/pictures.test.ts'],
  // Takes pictures of some of the pages of web:screenshots, in the same workspace.
  'docs:pictures': [
    'apps/web/test/pictures/pictures.test.ts',
    'apps/docs/plugins/console-pictures/console-pictures.test.ts',
  ],
  'docs:record': ['apps/docs/test/api/recorded.test.ts'],
  'docs:screenshots': ['apps/docs/test/browser/pictures.test.ts'],
};
/** Scripts that run often. */
const everyday = [
  'up',
  'redoubt',
  'test',
  'test:all',
  'docs:build',
  'web:build',
  'docs:generate',
  'format',
  'format:check',
  'lint',
  'types',
  'structure',
  'dead-code',
  'prose',
];

test('every long script of package.json has a short form among the tests', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  assert.deepEqual(Object.keys(scripts).toSorted(), [...Object.keys(shortForms), ...everyday].toSorted());
  const run = new Set(steps.flatMap((step) => (step.kind === 'tests' ? filesOf(step) : [])));
  for (const [script, files] of Object.entries(shortForms))
    for (const file of files) assert.ok(run.has(file), `${script}: no step runs ${file}`);
});

/** Runs a long script with these environment variables. */
const runScript = async (
  script: string,
  amounts: Readonly<Record<string, string>>,
): Promise<{ code: unknown; output: string }> => {
  // A nested test run would report to the outer one.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const child = spawn(process.execPath, [...process.execArgv, script], {
    env: { ...env, ...amounts },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
};

test('the long two-worlds comparison runs all its parts', async () => {
  const { code, output } = await runScript('tools/checks/worlds-main.ts', {
    REDOUBT_WORLDS_PAIRS: '2',
    REDOUBT_WORLDS_SEED: '1',
    REDOUBT_WORLDS_TIMING: '2',
    REDOUBT_WORLDS_TIMING_RECORDS: '200',
  });
  assert.equal(code, 0, output);
  assert.match(output, /a look-up by id/);
  assert.match(output, /"succeeded":2\b/);
});

const postgres = findPostgres();
const skip = 'missing' in postgres ? postgres.missing : false;

test('the long comparison with PostgreSQL runs all its parts', { skip }, async () => {
  const amounts = { REDOUBT_SQL_QUERIES: '20', REDOUBT_SQL_SEED: '1' };
  const { code, output } = await runScript('tools/checks/long-sql-main.ts', amounts);
  assert.equal(code, 0, output);
});
