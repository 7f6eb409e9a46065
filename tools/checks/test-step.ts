import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob, resolve } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { createOutcomeReader, fileAt, type OutcomeReader } from './outcome.ts';
import { createFileTimes, type FileTimes } from './file-times.ts';
import { findChromium } from './find-chromium.ts';
import { installPrograms } from './find-program.ts';
import { startPostgres } from './postgres.ts';
import { coresForLane } from './core-assignment.ts';
import { addCounts, noTests, type TestCounts } from './test-counts.ts';
import type { TestStep } from './steps.ts';

/** Default number of files that run in parallel. */
const defaultLanes = 2;

/**
 * A run without any event for this many minutes is stopped, and the running test is reported. Otherwise a run that
 * hangs would be found hours later, without a hint at its cause. Scripts with long tests set a larger number.
 */
const timeoutMinutes = Number(process.env.REDOUBT_TEST_PATIENCE_MINUTES ?? 10);
const sharedProcess = join(import.meta.dirname, 'shared-process.ts');

/** Returns the test files of a step. With `only`, a glob, returns only those that match it. */
export function filesOf(step: TestStep, only: string | undefined): string[] {
  const all = globSync([...step.files], { exclude: ['**/node_modules/**', ...step.without] });
  if (only === undefined) return all.toSorted();
  const wanted = new Set(globSync(only));
  return all.filter((file) => wanted.has(file)).toSorted();
}

/**
 * Runs test files on the database of the step, and prints each failure as it occurs. A step without files fails, since
 * a check that checks nothing would always pass.
 */
export async function runTestStep(step: TestStep, files: string[], signal: AbortSignal): Promise<TestCounts> {
  const times = createFileTimes();
  const counts = await runOn(step, files, { signal, times, reasons: new Set() });
  const longest = times.describe();
  if (longest !== undefined) console.log(`${step.name}, ${longest}`);
  return counts;
}

interface RunContext {
  readonly signal: AbortSignal;
  readonly times: FileTimes;
  /** Why tests were skipped, as far as it has been printed. */
  readonly reasons: Set<string>;
}

async function runOn(step: TestStep, files: string[], context: RunContext): Promise<TestCounts> {
  if (files.length === 0) {
    console.log(`No test file matches ${step.files.join(' or ')}.`);
    return { ...noTests, failed: 1 };
  }
  installPrograms(step.programs ?? []);
  if (step.browser !== undefined) return runWithBrowser(step, step.browser, files, context);
  if (step.database === undefined) return runFiles(step, files, context);
  const engine = step.engine === undefined ? {} : { REDOUBT_TEST_ENGINE: step.engine };
  if (step.database === 'pglite') {
    return runTogether(step, files, { REDOUBT_TEST_DB: 'pglite', ...engine }, context);
  }
  const postgres = await startPostgres(context.signal);
  if ('missing' in postgres) {
    console.log(`Skipped: ${postgres.missing}`);
    return { ...noTests, skipped: 1 };
  }
  try {
    const database = { REDOUBT_TEST_DB: 'postgres', REDOUBT_TEST_POSTGRES_URL: postgres.url };
    return await runTogether(step, files, { ...database, ...engine }, context);
  } finally {
    await postgres.stop();
  }
}

/** Runs each file in its own process, and skips those that need a browser if there is none. */
async function runWithBrowser(
  step: TestStep,
  needing: string,
  files: string[],
  context: RunContext,
): Promise<TestCounts> {
  const others = files.filter((file) => !matchesGlob(file, needing));
  if (others.length === files.length) return runFiles(step, files, context);
  const chromium = findChromium();
  if ('program' in chromium) return runFiles(step, files, context, { REDOUBT_CHROMIUM: chromium.program });
  console.log(`Skipped: ${chromium.missing}`);
  const ran = others.length > 0 ? await runFiles(step, others, context) : noTests;
  return addCounts(ran, { ...noTests, skipped: files.length - others.length });
}

/** Runs each file in its own process. */
async function runFiles(
  step: TestStep,
  files: string[],
  context: RunContext,
  environment: Record<string, string> = {},
): Promise<TestCounts> {
  const { covers } = step;
  const env = { ...process.env, ...environment };
  if (covers !== undefined) {
    return count(context, createOutcomeReader(), {
      files: files.map((file) => resolve(file)),
      concurrency: defaultLanes,
      // Coverage is less exact for code from the compile cache.
      env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' },
      execArgv: [...process.execArgv, `--import=${covers.entry}`],
      coverage: true,
      coverageIncludeGlobs: covers.files,
      coverageExcludeGlobs: '**/*.test.ts',
      lineCoverage: 100,
      branchCoverage: 100,
      functionCoverage: 100,
    });
  }
  const left = longestFirst(files, step.long).values();
  return inLanes(step, files, async (share) => {
    let counts = noTests;
    for (const file of left) {
      if (context.signal.aborted) break;
      const options = { files: [file], env: { ...env, ...share.env }, execArgv: share.execArgv };
      counts = addCounts(counts, await count(context, createOutcomeReader(), options));
    }
    return counts;
  });
}

/**
 * Runs all files in a few parallel processes. Each process claims the next file when it is free. A file that did not
 * run to its end counts as failed.
 */
async function runTogether(
  step: TestStep,
  files: string[],
  environment: Record<string, string>,
  context: RunContext,
): Promise<TestCounts> {
  const ordered = longestFirst(files, step.long);
  const ended = new Set<string>();
  const claims = mkdtempSync(join(tmpdir(), 'redoubt-claims-'));
  try {
    const counts = await inLanes(step, files, (share) =>
      count(context, createOutcomeReader({ files: new Set(ordered), ended }), {
        files: [sharedProcess],
        argv: [claims, ...ordered],
        env: { ...process.env, ...environment, ...share.env },
        execArgv: share.execArgv,
      }),
    );
    const left = context.signal.aborted ? [] : ordered.filter((file) => !ended.has(file));
    for (const file of left) {
      console.log(indent(`${fileAt(file)} did not run to its end`));
    }
    return addCounts(counts, { ...noTests, failed: left.length });
  } finally {
    rmSync(claims, { recursive: true, force: true });
  }
}

/** Sorts files so that no long one runs last: first the files that match `long`, then by size. */
function longestFirst(files: string[], long = ''): string[] {
  return files
    .map((file) => ({
      file: resolve(file),
      size: matchesGlob(file, long) ? Number.MAX_VALUE : statSync(file).size,
    }))
    .toSorted((a, b) => b.size - a.size)
    .map(({ file }) => file);
}

/** Runs `work` in parallel lanes, each with its share of the cores; in fewer lanes if there are fewer files. */
async function inLanes(
  { lanes = defaultLanes, isParallel }: TestStep,
  files: string[],
  work: (share: { env: Record<string, string>; execArgv: string[] }) => Promise<TestCounts>,
): Promise<TestCounts> {
  const results = await Promise.all(
    Array.from({ length: Math.min(lanes, files.length) }, (_, lane) => {
      // In each step, the first lane runs the longest file. So the step in parallel uses another core for its first
      // lane.
      const { env, execArgv } = coresForLane(isParallel === true ? lane + 1 : lane, lanes);
      return work({ env: { ...env }, execArgv: [...process.execArgv, ...execArgv] });
    }),
  );
  return results.reduce(addCounts, noTests);
}

/** A diagnostic of a test that is shown even if it passes, such as a count or a seed. */
function diagnosticOf(event: TestEvent): string | undefined {
  if (event.type !== 'test:diagnostic' || event.data.level !== 'info') return undefined;
  // Diagnostics without a file are the totals of a run.
  return event.data.file === undefined ? undefined : event.data.message;
}

/** Prints why a test was skipped, unless another test of the step had the same reason. */
function printReason(reason: string | undefined, printed: Set<string>): void {
  if (reason === undefined || printed.has(reason)) return;
  printed.add(reason);
  console.log(`  Skipped: ${reason}`);
}

/** Runs files until they end, `signal` aborts, or nothing happens for `timeoutMinutes`. */
async function count(
  { signal, times, reasons }: RunContext,
  { read, running }: OutcomeReader,
  options: NonNullable<Parameters<typeof run>[0]>,
): Promise<TestCounts> {
  let counts = noTests;
  let hasRunError = false;
  const stopped = new AbortController();
  const stop = (why: string): void => {
    console.log(indent(`${why} in ${running()}`));
    stopped.abort();
  };
  const onAbort = (): void => stop('stopped');
  signal.addEventListener('abort', onAbort);
  const watch = setTimeout(
    () => stop(`nothing has happened for ${timeoutMinutes} minutes`),
    timeoutMinutes * 60_000,
  );
  for await (const event of run({ ...options, signal: stopped.signal })) {
    watch.refresh();
    times.record(event);
    const message = diagnosticOf(event);
    if (message !== undefined) console.log(`  ${message}`);
    for (const outcome of read(event)) {
      if (outcome.kind === 'note') hasRunError = true;
      else counts = addCounts(counts, { ...noTests, [outcome.kind]: 1 });
      if (outcome.kind === 'skipped') printReason(outcome.reason, reasons);
      if ('text' in outcome) console.log(indent(outcome.text));
    }
  }
  clearTimeout(watch);
  signal.removeEventListener('abort', onAbort);
  return hasRunError || stopped.signal.aborted ? addCounts(counts, { ...noTests, failed: 1 }) : counts;
}

function indent(text: string): string {
  return text.trim().replaceAll(/^/gm, '  ').trimStart().replace(/^/, '✖ ');
}
