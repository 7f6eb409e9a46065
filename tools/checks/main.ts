import { parseArgs } from 'node:util';
import { runCommandStep } from './command-step.ts';
import { filesOf, runTestStep } from './test-step.ts';
import { addCounts, formatCounts, noTests, type TestCounts } from './test-counts.ts';
import { steps, type Step } from './steps.ts';
import { stopSignal } from './stop-signal.ts';

const usage = `Usage: npm test -- [--only <step>[,<step>]] [--files <glob of test files>]
Steps: ${steps.map(({ name }) => name).join(', ')}`;

const commandsAtOnce = 2;

const stopped = stopSignal();

const total = await runAll(chosenSteps());
console.log(`\n${formatCounts(total)}`);
process.exitCode = total.failed > 0 || stopped.aborted ? 1 : 0;

interface Choice {
  readonly steps: readonly Step[];
  readonly files: string | undefined;
}

function chosenSteps(): Choice {
  const { values } = parseArgs({ options: { only: { type: 'string' }, files: { type: 'string' } } });
  const names = values.only?.split(',');
  const unknown = names?.find((name) => !steps.some((step) => step.name === name));
  if (unknown !== undefined) {
    console.error(`There is no step "${unknown}".\n${usage}`);
    process.exit(1);
  }
  const { files } = values;
  const chosen = steps.filter((step) => names?.includes(step.name) ?? true);
  if (files === undefined) return { steps: chosen, files };
  // With files named, only the steps that hold some of them are of interest.
  const holding = chosen.filter((step) => step.kind === 'tests' && filesOf(step, files).length > 0);
  if (holding.length === 0) {
    console.error(`No test file matches "${files}".\n${usage}`);
    process.exit(1);
  }
  return { steps: holding, files };
}

/** Commands side by side, since most of them use one core; then the tests, which use all that there are together. */
async function runAll({ steps, files }: Choice): Promise<TestCounts> {
  const commands = steps.filter(({ kind }) => kind === 'command').values();
  const lanes = Array.from({ length: commandsAtOnce }, () => runInTurn(commands, files));
  const tallies = await Promise.all(lanes);
  const tests = steps.filter((step) => step.kind === 'tests');
  const beside = tests.filter((step) => step.beside === true);
  const others = tests.filter((step) => step.beside !== true);
  const tracks = [others, beside].map((track) => runInTurn(track, files));
  return [...tallies, ...(await Promise.all(tracks))].reduce(addCounts, noTests);
}

/** Takes the next step as long as some are left. */
async function runInTurn(left: Iterable<Step>, files: string | undefined): Promise<TestCounts> {
  let total = noTests;
  for (const step of left) {
    if (stopped.aborted) break;
    console.log(`${step.name}…`);
    const start = performance.now();
    const tally = await runOne(step, files);
    total = addCounts(total, tally);
    console.log(
      `${step.name}: ${formatCounts(tally)} (${((performance.now() - start) / 1000).toFixed(1)} s)`,
    );
  }
  return total;
}

/** A step that cannot even run counts as failed, and the others still show what is wrong with them. */
async function runOne(step: Step, files: string | undefined): Promise<TestCounts> {
  try {
    if (step.kind === 'command') return await runCommandStep(step, stopped);
    return await runTestStep(step, filesOf(step, files), stopped);
  } catch (error) {
    console.log(error);
    return { ...noTests, failed: 1 };
  }
}
