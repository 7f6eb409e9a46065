import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { coresForLane } from './core-assignment.ts';

/**
 * A test file that generates its cases from seeds, with the environment variables for their number and the first seed.
 */
export interface SeededFile {
  readonly file: string;
  readonly count: { readonly variable: string; readonly value: number };
  readonly seed: { readonly variable: string; readonly value: number };
  /** Number of cases that the file generates from each seed. */
  readonly casesPerSeed: number;
}

/** The seeds from `first` on, and the number of cases generated from them. */
export interface SeedShare {
  readonly first: number;
  readonly cases: number;
}

/**
 * Reads a positive whole number from an environment variable; `defaultValue` if it is not set.
 * @throws RangeError for any other value
 */
export function readPositiveInteger(variable: string, defaultValue: number): number {
  const text = process.env[variable];
  if (text === undefined) return defaultValue;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new RangeError(
      `${variable} must be a positive whole number, got "${text}". Change it or unset it.`,
    );
  return Number(text);
}

/** Splits a run into parts of about the same size. Each seed of the run is in exactly one part. */
export function splitSeeds(
  { count, seed, casesPerSeed }: Omit<SeededFile, 'file'>,
  parts: number,
): SeedShare[] {
  const seeds = Math.ceil(count.value / casesPerSeed);
  const startOf = (part: number): number => Math.floor((part * seeds) / parts);
  return Array.from({ length: parts }, (_, part) => {
    const [from, to] = [startOf(part), startOf(part + 1)];
    const cases = Math.min(to * casesPerSeed, count.value) - from * casesPerSeed;
    return { first: seed.value + from, cases };
  }).filter(({ cases }) => cases > 0);
}

const processes = 2;

/**
 * Runs a file in two processes, each with its share of the cases and of the cores, because one process would leave half
 * of the cores idle. Sets the exit code of this process if a test fails.
 */
export async function runInShares(
  seeded: SeededFile,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    splitSeeds(seeded, processes).map(({ first, cases }, lane) => {
      const cores = coresForLane(lane, processes);
      return runFile(seeded.file, {
        env: {
          ...environment,
          ...cores.env,
          [seeded.seed.variable]: String(first),
          [seeded.count.variable]: String(cases),
        },
        execArgv: [...process.execArgv, ...cores.execArgv],
        signal,
      });
    }),
  );
}

/** Runs one test file and prints its results; sets the exit code of this process if a test fails or is stopped. */
export async function runFile(
  file: string,
  { env, execArgv, signal }: { env: NodeJS.ProcessEnv; execArgv: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const events = run({ files: [file], env, execArgv: [...execArgv], signal });
  events.on('test:fail', () => {
    process.exitCode = 1;
  });
  for await (const line of events.compose(spec)) process.stdout.write(String(line));
  if (signal.aborted) process.exitCode = 1;
}
