import { readFileSync } from 'node:fs';
import { runCommandStep } from './command-step.ts';
import { readRunOptions, refuse } from './run-options.ts';
import { selectSteps, type SelectedStep } from './select-steps.ts';
import { stopSignal } from './stop-signal.ts';
import { addCounts, formatCounts, noTests, type TestCounts } from './test-counts.ts';
import { buildIfStale, runTestStep } from './test-step.ts';

const maxCommands = 2;
/** How long a run of what a change reaches starts further files. */
const affectedMilliseconds = 150_000;

const stopped = stopSignal();
const options = readRunOptions();
const selected = selectSteps(options);
if (selected.length === 0)
  refuse(
    options.files === undefined
      ? 'The changed files reach no test of these steps.'
      : `No test file matches "${options.files}".`,
  );
if (options.changed !== undefined) console.log(`Changed: ${options.changed.join(', ') || 'nothing'}`);
console.log(`Random choices follow REDOUBT_TEST_SEED=${options.seed}.`);

const stepOptions = {
  signal: stopped,
  environment: {
    REDOUBT_TEST_FORM: options.isFull ? 'full' : 'short',
    REDOUBT_TEST_SEED: options.seed,
  },
  ...(options.changed !== undefined && { deadline: performance.now() + affectedMilliseconds }),
};

const total = await runAll(selected);
console.log(`\nThe run took ${(performance.now() / 1000).toFixed(0)} s${cpuTime()}.`);
console.log(formatCounts(total));
process.exitCode = total.failed > 0 || stopped.aborted ? 1 : 0;

/** Runs the commands in parallel, since most of them use one core, and then the tests, which together use all cores. */
async function runAll(selected: readonly SelectedStep[]): Promise<TestCounts> {
  const commands = selected.filter(({ step }) => step.kind === 'command').values();
  const lanes = Array.from({ length: maxCommands }, () => runSequentially(commands));
  const results = await Promise.all(lanes);
  const tests = selected.filter(({ step }) => step.kind === 'tests');
  // Servers start these programs often, and they start faster from bundles.
  if (tests.length > 0) buildIfStale('apps/server/building/main.ts');
  const last = tests.filter(({ step }) => 'isLast' in step);
  const parallel = tests.filter(({ step }) => 'isParallel' in step);
  const others = tests.filter((each) => !last.includes(each) && !parallel.includes(each));
  const tracks = [others, parallel].map((track) => runSequentially(track));
  results.push(...(await Promise.all(tracks)), await runSequentially(last));
  return results.reduce(addCounts, noTests);
}

/** Runs steps one after another until none is left. */
async function runSequentially(left: Iterable<SelectedStep>): Promise<TestCounts> {
  let total = noTests;
  for (const selected of left) {
    if (stopped.aborted) break;
    const { name, budget } = selected.step;
    console.log(`${name}…`);
    const start = performance.now();
    const counts = await runOne(selected);
    total = addCounts(total, counts);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const aim = options.isFull || budget === undefined ? '' : ` of ${budget} s`;
    console.log(`${name}: ${formatCounts(counts)} (${seconds} s${aim})`);
  }
  return total;
}

/** Runs a step. One that cannot start counts as failed, and the others still run. */
async function runOne({ step, files }: SelectedStep): Promise<TestCounts> {
  try {
    if (step.kind === 'command') return await runCommandStep(step, stopped);
    return await runTestStep(step, files, stepOptions);
  } catch (error) {
    console.log(error);
    return { ...noTests, failed: 1 };
  }
}

/** The CPU time of all processes that this one started and that have ended; nothing where the system does not tell. */
function cpuTime(): string {
  if (process.platform !== 'linux') return '';
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(13, 15).map(Number);
  const ticksPerSecond = 100;
  return ` and ${((user + system) / ticksPerSecond).toFixed(0)} s of CPU time`;
}
