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

/** What runs side by side, unless a step says otherwise. */
const usualLanes = 2;

/**
 * Minutes without any news after which a run stands still: it is ended and says at which test, where it would
 * otherwise be found hours later without a trace. Long runs of one test set it higher.
 */
const patienceMinutes = Number(process.env.REDOUBT_TEST_PATIENCE_MINUTES ?? 10);
const sharedProcess = join(import.meta.dirname, 'shared-process.ts');

/** The test files of a step, among those that `only` (a glob) names if it is given. */
export function filesOf(step: TestStep, only: string | undefined): string[] {
  const all = globSync([...step.files], { exclude: ['**/node_modules/**', ...step.without] });
  if (only === undefined) return all.toSorted();
  const wanted = new Set(globSync(only));
  return all.filter((file) => wanted.has(file)).toSorted();
}

/**
 * Runs test files, on the database that the step asks for, and shows each failure as it comes.
 * No files at all is a failure: a check that sees nothing would pass for ever.
 */
export async function runTestStep(step: TestStep, files: string[], signal: AbortSignal): Promise<TestCounts> {
  const times = createFileTimes();
  const tally = await runOn(step, files, { signal, times });
  const longest = times.inWords();
  if (longest !== undefined) console.log(`${step.name}, ${longest}`);
  return tally;
}

interface Watched {
  readonly signal: AbortSignal;
  readonly times: FileTimes;
}

async function runOn(step: TestStep, files: string[], watched: Watched): Promise<TestCounts> {
  if (files.length === 0) {
    console.log(`No test file matches ${step.files.join(' or ')}.`);
    return { ...noTests, failed: 1 };
  }
  installPrograms(step.programs ?? []);
  if (step.browser !== undefined) return runWithBrowser(step, step.browser, files, watched);
  if (step.database === undefined) return runFiles(step, files, watched);
  const engine = step.engine === undefined ? {} : { REDOUBT_TEST_ENGINE: step.engine };
  if (step.database === 'pglite') {
    return runTogether(step, files, { REDOUBT_TEST_DB: 'pglite', ...engine }, watched);
  }
  const postgres = await startPostgres(watched.signal);
  if ('missing' in postgres) {
    console.log(`Skipped: ${postgres.missing}`);
    return { ...noTests, skipped: 1 };
  }
  try {
    const database = { REDOUBT_TEST_DB: 'postgres', REDOUBT_TEST_POSTGRES_URL: postgres.url };
    return await runTogether(step, files, { ...database, ...engine }, watched);
  } finally {
    await postgres.stop();
  }
}

/** Each file in a process of its own; those that need a browser are skipped where there is none. */
async function runWithBrowser(
  step: TestStep,
  needing: string,
  files: string[],
  watched: Watched,
): Promise<TestCounts> {
  const others = files.filter((file) => !matchesGlob(file, needing));
  if (others.length === files.length) return runFiles(step, files, watched);
  const chromium = findChromium();
  if ('program' in chromium) return runFiles(step, files, watched, { REDOUBT_CHROMIUM: chromium.program });
  console.log(`Skipped: ${chromium.missing}`);
  const ran = others.length > 0 ? await runFiles(step, others, watched) : noTests;
  return addCounts(ran, { ...noTests, skipped: files.length - others.length });
}

/** Each file in a process of its own. */
async function runFiles(
  step: TestStep,
  files: string[],
  watched: Watched,
  environment: Record<string, string> = {},
): Promise<TestCounts> {
  const { covers } = step;
  const env = { ...process.env, ...environment };
  if (covers !== undefined) {
    return count(watched, createOutcomeReader(), {
      files: files.map((file) => resolve(file)),
      concurrency: usualLanes,
      // Code from the cache is covered less exactly.
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
    let tally = noTests;
    for (const file of left) {
      if (watched.signal.aborted) break;
      const options = { files: [file], env: { ...env, ...share.env }, execArgv: share.execArgv };
      tally = addCounts(tally, await count(watched, createOutcomeReader(), options));
    }
    return tally;
  });
}

/**
 * All files in a few processes that run side by side, each taking the next file that is left. A file that its process did
 * not bring to an end has failed.
 */
async function runTogether(
  step: TestStep,
  files: string[],
  environment: Record<string, string>,
  watched: Watched,
): Promise<TestCounts> {
  const ordered = longestFirst(files, step.long);
  const ended = new Set<string>();
  const claims = mkdtempSync(join(tmpdir(), 'redoubt-claims-'));
  try {
    const tally = await inLanes(step, files, (share) =>
      count(watched, createOutcomeReader({ files: new Set(ordered), ended }), {
        files: [sharedProcess],
        argv: [claims, ...ordered],
        env: { ...process.env, ...environment, ...share.env },
        execArgv: share.execArgv,
      }),
    );
    const left = watched.signal.aborted ? [] : ordered.filter((file) => !ended.has(file));
    for (const file of left) {
      console.log(indent(`${fileAt(file)} was not brought to an end`));
    }
    return addCounts(tally, { ...noTests, failed: left.length });
  } finally {
    rmSync(claims, { recursive: true, force: true });
  }
}

/** So that none that takes long is left for the end: first those that are known to, then the largest. */
function longestFirst(files: string[], long = ''): string[] {
  return files
    .map((file) => ({
      file: resolve(file),
      size: matchesGlob(file, long) ? Number.MAX_VALUE : statSync(file).size,
    }))
    .toSorted((a, b) => b.size - a.size)
    .map(({ file }) => file);
}

/** Side by side, each with its share of the cores; fewer than there are lanes where there is less to do. */
async function inLanes(
  { lanes = usualLanes, beside }: TestStep,
  files: string[],
  work: (share: { env: Record<string, string>; execArgv: string[] }) => Promise<TestCounts>,
): Promise<TestCounts> {
  const tallies = await Promise.all(
    Array.from({ length: Math.min(lanes, files.length) }, (_, lane) => {
      // The longest file is in the first lane, and may be so in the step that runs at the same time.
      const { env, execArgv } = coresForLane(beside === true ? lane + 1 : lane, lanes);
      return work({ env: { ...env }, execArgv: [...process.execArgv, ...execArgv] });
    }),
  );
  return tallies.reduce(addCounts, noTests);
}

/** What a test wants to be read when it has passed, too: a count, or a seed. */
function saidByTest(event: TestEvent): string | undefined {
  if (event.type !== 'test:diagnostic' || event.data.level !== 'info') return undefined;
  // The totals of a run stand in no file.
  return event.data.file === undefined ? undefined : event.data.message;
}

/** Runs files until they have ended, `signal` aborts or nothing happens any more. */
async function count(
  { signal, times }: Watched,
  { read, underway }: OutcomeReader,
  options: NonNullable<Parameters<typeof run>[0]>,
): Promise<TestCounts> {
  let tally = noTests;
  let noted = false;
  const stopped = new AbortController();
  const stop = (why: string): void => {
    console.log(indent(`${why} in ${underway()}`));
    stopped.abort();
  };
  const onAbort = (): void => stop('stopped');
  signal.addEventListener('abort', onAbort);
  const watch = setTimeout(
    () => stop(`nothing has happened for ${patienceMinutes} minutes`),
    patienceMinutes * 60_000,
  );
  for await (const event of run({ ...options, signal: stopped.signal })) {
    watch.refresh();
    times.note(event);
    const message = saidByTest(event);
    if (message !== undefined) console.log(`  ${message}`);
    for (const outcome of read(event)) {
      if (outcome.kind === 'note') noted = true;
      else tally = addCounts(tally, { ...noTests, [outcome.kind]: 1 });
      if ('text' in outcome) console.log(indent(outcome.text));
    }
  }
  clearTimeout(watch);
  signal.removeEventListener('abort', onAbort);
  return noted || stopped.signal.aborted ? addCounts(tally, { ...noTests, failed: 1 }) : tally;
}

function indent(text: string): string {
  return text.trim().replaceAll(/^/gm, '  ').trimStart().replace(/^/, '✖ ');
}
