import { parseArgs } from 'node:util';
import { stopSignal } from '../checks/stop-signal.ts';
import { addCounts, formatCounts, noTests, type TestCounts } from '../checks/test-counts.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';
import { runMutation } from './run-mutation.ts';
import { createWorkingCopy, sourceFiles } from './working-copy.ts';

/**
 * Breaks one rule of the product after another in copies of the sources, and checks that the test of the rule fails.
 * With words as arguments, only the mutations whose names contain one of them run.
 */
const lanes = 2;

const { positionals: words } = parseArgs({ allowPositionals: true });
const root = process.cwd();
const stopped = stopSignal();
const files = sourceFiles(root);
const selected = mutations.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const left = selected.values();
const results = await Promise.all(Array.from({ length: Math.min(lanes, selected.length) }, runLane));
const total = results.reduce(addCounts, noTests);
console.log(`\n${formatCounts(total)}`);
process.exitCode = total.failed > 0 || total.passed === 0 || stopped.aborted ? 1 : 0;

/** Runs mutations in a copy of the sources until none is left. */
async function runLane(): Promise<TestCounts> {
  const copy = createWorkingCopy(root, files);
  try {
    let counts = noTests;
    for (const mutation of left) {
      if (stopped.aborted) break;
      counts = addCounts(counts, await runOne(copy.folder, mutation));
    }
    return counts;
  } finally {
    copy.remove();
  }
}

async function runOne(folder: string, mutation: Mutation): Promise<TestCounts> {
  const start = performance.now();
  const problem = await runMutation(folder, mutation, stopped).catch((error: unknown) => String(error));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    problem === undefined
      ? `✔ ${mutation.name} (${seconds} s)`
      : `✖ ${mutation.name} (${seconds} s)\n  ${problem}`,
  );
  return { ...noTests, [problem === undefined ? 'passed' : 'failed']: 1 };
}
