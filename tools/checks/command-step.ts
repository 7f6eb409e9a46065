import { spawn } from 'node:child_process';
import { nothing, type Tally } from './tally.ts';
import type { CommandStep } from './steps.ts';

/** Runs a script of package.json; what it says is shown only if it fails. */
export async function runCommandStep(step: CommandStep, signal: AbortSignal): Promise<Tally> {
  const child = spawn(process.execPath, ['--run', step.script], {
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
  if (code === 0) return { ...nothing, passed: 1 };
  console.log(output.trim());
  return { ...nothing, failed: 1 };
}
