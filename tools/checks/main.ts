import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runCommandStep } from './command-step.ts';
import { filesOf, runTestStep } from './test-step.ts';
import { addCounts, formatCounts, noTests, type TestCounts } from './test-counts.ts';
import { steps, type Step } from './steps.ts';
import { stopSignal } from './stop-signal.ts';

const usage = `Usage: npm test -- [--only <step>[,<step>]] [--files <glob of test files>]
Steps: ${steps.map(({ name }) => name).join(', ')}`;

const maxCommands = 2;

const stopped = stopSignal();

const total = await runAll(selectSteps());
console.log(`\n${formatCounts(total)}`);
process.exitCode = total.failed > 0 || stopped.aborted ? 1 : 0;

interface SelectedSteps {
  readonly steps: readonly Step[];
  readonly files: string | undefined;
}

function selectSteps(): SelectedSteps {
  const { values } = parseArgs({ options: { only: { type: 'string' }, files: { type: 'string' } } });
  const names = values.only?.split(',');
  const unknown = names?.find((name) => !steps.some((step) => step.name === name));
  if (unknown !== undefined) {
    console.error(`Unknown step "${unknown}".\n${usage}`);
    process.exit(1);
  }
  const { files } = values;
  const selected = steps.filter((step) => names?.includes(step.name) ?? true);
  if (files === undefined) return { steps: selected, files };
  // With --files, only the steps that contain some of them run.
  const matching = selected.filter((step) => step.kind === 'tests' && filesOf(step, files).length > 0);
  if (matching.length === 0) {
    console.error(`No test file matches "${files}".\n${usage}`);
    process.exit(1);
  }
  return { steps: matching, files };
}

/** Runs the commands in parallel, since most of them use one core, and then the tests, which together use all cores. */
async function runAll({ steps, files }: SelectedSteps): Promise<TestCounts> {
  const commands = steps.filter(({ kind }) => kind === 'command').values();
  const lanes = Array.from({ length: maxCommands }, () => runSequentially(commands, files));
  const results = await Promise.all(lanes);
  const tests = steps.filter((step) => step.kind === 'tests');
  if (tests.length > 0) bundlePrograms();
  const last = tests.filter((step) => step.isLast === true);
  const parallel = tests.filter((step) => step.isParallel === true);
  const others = tests.filter((step) => !last.includes(step) && !parallel.includes(step));
  const tracks = [others, parallel].map((track) => runSequentially(track, files));
  results.push(...(await Promise.all(tracks)), await runSequentially(last, files));
  return results.reduce(addCounts, noTests);
}

/** Servers start these programs often, and they start faster from bundles. */
function bundlePrograms(): void {
  spawnSync(process.execPath, ['apps/server/building/main.ts', '--if-stale'], { stdio: 'inherit' });
}

/** Runs steps one after another until none is left. */
async function runSequentially(left: Iterable<Step>, files: string | undefined): Promise<TestCounts> {
  let total = noTests;
  for (const step of left) {
    if (stopped.aborted) break;
    console.log(`${step.name}…`);
    const start = performance.now();
    const counts = await runOne(step, files);
    total = addCounts(total, counts);
    console.log(
      `${step.name}: ${formatCounts(counts)} (${((performance.now() - start) / 1000).toFixed(1)} s)`,
    );
  }
  return total;
}

/** Runs a step. One that cannot start counts as failed, and the others still run. */
async function runOne(step: Step, files: string | undefined): Promise<TestCounts> {
  try {
    if (step.kind === 'command') return await runCommandStep(step, stopped);
    return await runTestStep(step, filesOf(step, files), stopped);
  } catch (error) {
    console.log(error);
    return { ...noTests, failed: 1 };
  }
}
