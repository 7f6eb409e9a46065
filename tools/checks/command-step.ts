import { spawn } from 'node:child_process';
import { noTests, type TestCounts } from './test-counts.ts';
import type { CommandStep } from './steps.ts';

/**
 * Two commands run side by side, each with programs that would share their work among all cores: then each looks at much of it
 * more than once, as types that several threads need are worked out by each of them. On one core the linter needs two thirds
 * of the work, and a collector of garbage that comes at four times the memory instead of twice saves another fifth.
 */
const thrift = { GOMAXPROCS: '1', GOGC: '300' };

/** Runs a script of package.json; what it says is shown only if it fails. */
export async function runCommandStep(step: CommandStep, signal: AbortSignal): Promise<TestCounts> {
  const child = spawn(process.execPath, ['--run', step.script], {
    env: { ...process.env, ...thrift },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', resolve);
  });
  if (code === 0) return { ...noTests, passed: 1 };
  console.log(output.trim());
  return { ...noTests, failed: 1 };
}
