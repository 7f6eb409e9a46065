import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { partNames } from './options.ts';

const server = process.env['REDOUBT_TEST_POSTGRES_URL'];
const skip = server === undefined ? 'there is no PostgreSQL server to compare with' : false;
const main = 'tools/checks/bench-main.ts';

/** Runs `npm run bench` with these arguments, on the PostgreSQL server of the tests. */
async function runBench(...args: string[]): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, REDOUBT_BENCH_POSTGRES_URL: server };
  const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}

/** The cells of each row of the final table. */
const rowsOf = (output: string): string[][] =>
  output
    .slice(output.lastIndexOf('\n# Benchmark of'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));

test(
  'the benchmark runs all its parts, and its thirty queries have the same results in Redoubt, the bare engine, DuckDB and PostgreSQL, for each reader',
  { skip },
  async () => {
    const { code, output } = await runBench('--quick');
    assert.equal(code, 0, output);
    for (const part of partNames) assert.match(output, new RegExp(`^part ${part}\\b`, 'm'));
    // The benchmark fails if a result differs.
    const queries = rowsOf(output).filter(([what = '']) => /^query \d+, /.test(what));
    assert.equal(queries.length, 30 * 3);
    for (const [what, ...engines] of queries)
      assert.ok(
        engines.slice(0, 4).every((time) => time.endsWith(' ms')),
        what,
      );
  },
);

test('the benchmark rejects unknown arguments, and does not save meaningless measurements', async () => {
  for (const [args, message] of [
    [['--only', 'writes'], '--only must be one of write, search'],
    [['--records', 'many'], '--records must be a positive whole number, got "many".'],
    [['--quick', '--save'], '--save and --quick exclude each other'],
  ] as const) {
    const { code, output } = await runBench(...args);
    assert.equal(code, 1, output);
    assert.ok(output.includes(message), output);
  }
});
