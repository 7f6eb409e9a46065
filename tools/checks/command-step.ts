import { spawn } from 'node:child_process';
import { noTests, type TestCounts } from './test-counts.ts';
import type { CommandStep } from './steps.ts';

/**
 * Limits each command to one core, since two commands run in parallel. With several threads they repeat work, because
 * each thread computes the types that it needs: on one core the linter needs two thirds of the CPU time. Collecting
 * garbage at four times the live memory instead of twice saves another fifth.
 */
const oneCore = { GOMAXPROCS: '1', GOGC: '300' };

/** Runs a script of package.json; shows its output only if it fails. */
export async function runCommandStep(step: CommandStep, signal: AbortSignal): Promise<TestCounts> {
  const child = spawn(process.execPath, ['--run', step.script], {
    env: { ...process.env, ...oneCore },
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
