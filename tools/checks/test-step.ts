import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

/** Returns all test files of a step. */
export function filesOf(step: TestStep): string[] {
  return globSync([...step.files], { exclude: ['**/node_modules/**', ...step.without] }).toSorted();
}

/** How a step runs its files. */
export interface StepOptions {
  readonly signal: AbortSignal;
  /** Environment variables of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
  /** When no further file starts, in milliseconds of `performance.now()`. */
  readonly deadline?: number;
}

/**
 * Runs test files on the database of the step in this order, and prints each failure as it occurs. A step without
 * files fails, since a check that checks nothing would always pass.
 */
export async function runTestStep(
  step: TestStep,
  files: string[],
  options: StepOptions,
): Promise<TestCounts> {
  const times = createFileTimes();
  const counts = await runOn(step, files, { ...options, times, reasons: new Set() });
  const longest = times.describe();
  if (longest !== undefined) console.log(`${step.name}, ${longest}`);
  return counts;
}

interface RunContext extends StepOptions {
  readonly times: FileTimes;
  /** Why tests were skipped, as far as it has been printed. */
  readonly reasons: Set<string>;
}

async function runOn(step: TestStep, files: string[], context: RunContext): Promise<TestCounts> {
  if (files.length === 0) {
    console.log(`No test file matches ${step.files.join(' or ')}.`);
    return { ...noTests, failed: 1 };
  }
  if (step.build !== undefined) buildIfStale(step.build);
  installPrograms(step.programs ?? []);
  if (step.browser !== undefined) return runWithBrowser(step, step.browser, files, context);
  const engine = step.engine === undefined ? {} : { REDOUBT_TEST_ENGINE: step.engine };
  if (step.database !== 'postgres') {
    const database = step.database === undefined ? {} : { REDOUBT_TEST_DB: step.database };
    return runFiles(step, files, within(context, { ...database, ...engine }));
  }
  const postgres = await startPostgres(context.signal);
  if ('missing' in postgres) {
    console.log(`Skipped: ${postgres.missing}`);
    return { ...noTests, skipped: 1 };
  }
  try {
    const database = { REDOUBT_TEST_DB: 'postgres', REDOUBT_TEST_POSTGRES_URL: postgres.url };
    return await runFiles(step, files, within(context, { ...database, ...engine }));
  } finally {
    await postgres.stop();
  }
}

/** Files that find no build make one of their own, so a failure is theirs to report. */
export function buildIfStale(program: string): void {
  spawnSync(process.execPath, [program, '--if-stale'], { stdio: 'inherit' });
}

function within(context: RunContext, environment: Readonly<Record<string, string>>): RunContext {
  return { ...context, environment: { ...context.environment, ...environment } };
}

/** Skips the files that need a browser if there is none. */
async function runWithBrowser(
  step: TestStep,
  needing: string,
  files: string[],
  context: RunContext,
): Promise<TestCounts> {
  const others = files.filter((file) => !matchesGlob(file, needing));
  if (others.length === files.length) return runFiles(step, files, context);
  const chromium = findChromium();
  if ('program' in chromium)
    return runFiles(step, files, within(context, { REDOUBT_CHROMIUM: chromium.program }));
  console.log(`Skipped: ${chromium.missing}`);
  const ran = others.length > 0 ? await runFiles(step, others, context) : noTests;
  return addCounts(ran, { ...noTests, skipped: files.length - others.length });
}

/** Runs the files that share processes, and then those that need one of their own. */
async function runFiles(step: TestStep, files: string[], context: RunContext): Promise<TestCounts> {
  if (step.covers !== undefined) return runCovered(step.covers, files, context);
  const needsOwn = (file: string): boolean =>
    step.ownProcess?.some((glob) => matchesGlob(file, glob)) ?? false;
  const shared = files.filter((file) => !needsOwn(file)).map((file) => resolve(file));
  const alone = files.filter(needsOwn).map((file) => resolve(file));
  const together = shared.length > 0 ? await runTogether(step, shared, context) : noTests;
  return alone.length > 0 ? addCounts(together, await runAlone(step, alone, context)) : together;
}

function runCovered(
  covers: NonNullable<TestStep['covers']>,
  files: string[],
  context: RunContext,
): Promise<TestCounts> {
  return count(context, createOutcomeReader(), {
    files: files.map((file) => resolve(file)),
    concurrency: defaultLanes,
    // Coverage is less exact for code from the compile cache.
    env: { ...process.env, ...context.environment, NODE_DISABLE_COMPILE_CACHE: '1' },
    execArgv: [...process.execArgv, `--import=${covers.entry}`],
    coverage: true,
    coverageIncludeGlobs: covers.files,
    coverageExcludeGlobs: '**/*.test.ts',
    lineCoverage: 100,
    branchCoverage: 100,
    functionCoverage: 100,
  });
}

/** Runs each file in its own process. */
async function runAlone(step: TestStep, files: string[], context: RunContext): Promise<TestCounts> {
  const env = { ...process.env, ...context.environment };
  const left = [...files];
  const counts = await inLanes(step, files, async (share) => {
    let counts = noTests;
    while (!context.signal.aborted && !isOver(context.deadline)) {
      const file = left.shift();
      if (file === undefined) break;
      const options = { files: [file], env: { ...env, ...share.env }, execArgv: share.execArgv };
      counts = addCounts(counts, await count(context, createOutcomeReader(), options));
    }
    return counts;
  });
  if (!context.signal.aborted) sayLate(left.length);
  return counts;
}

function isOver(deadline = Infinity): boolean {
  return performance.now() > deadline;
}

/**
 * Runs all files in a few parallel processes. Each process claims the next file when it is free. A file that did not
 * run to its end counts as failed.
 */
async function runTogether(step: TestStep, files: string[], context: RunContext): Promise<TestCounts> {
  const ended = new Set<string>();
  const claims = mkdtempSync(join(tmpdir(), 'redoubt-claims-'));
  const { environment, deadline = Infinity } = context;
  const milliseconds = String(performance.timeOrigin + deadline);
  try {
    const counts = await inLanes(step, files, (share) =>
      count(context, createOutcomeReader({ files: new Set(files), ended }), {
        files: [sharedProcess],
        argv: [claims, milliseconds, ...files],
        env: { ...process.env, ...environment, ...share.env },
        execArgv: share.execArgv,
      }),
    );
    if (context.signal.aborted) return counts;
    const started = new Set(readdirSync(claims).map((index) => files[Number(index)]));
    const late = isOver(deadline) ? files.filter((file) => !started.has(file)) : [];
    sayLate(late.length);
    const cut = files.filter((file) => !ended.has(file) && !late.includes(file));
    for (const file of cut) {
      console.log(indent(`${fileAt(file)} did not run to its end`));
    }
    return addCounts(counts, { ...noTests, failed: cut.length });
  } finally {
    rmSync(claims, { recursive: true, force: true });
  }
}

function sayLate(files: number): void {
  if (files > 0) console.log(`  ${files} files did not start within the time of this run.`);
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
