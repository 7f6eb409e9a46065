import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { coresForLane } from './core-assignment.ts';

/** A test file that makes its cases from seeds, and the environment variables that say how many, from which seed on. */
export interface SeededFile {
  readonly file: string;
  readonly count: { readonly variable: string; readonly value: number };
  readonly seed: { readonly variable: string; readonly value: number };
  /** Cases that the file makes of each seed. */
  readonly casesOfSeed: number;
}

/** Seeds from `first` on, and how many cases are made of them. */
export interface SeedShare {
  readonly first: number;
  readonly cases: number;
}

/**
 * The whole number from 1 on in an environment variable, else `usual`.
 * @throws RangeError for anything else that stands there
 */
export function wholeNumberIn(variable: string, usual: number): number {
  const text = process.env[variable];
  if (text === undefined) return usual;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new RangeError(`${variable} has to be a whole number from 1 on, and is "${text}".`);
  return Number(text);
}

/** Parts of about the same size that have no seed in common, and together all the seeds that one run would have. */
export function splitSeeds(
  { count, seed, casesOfSeed }: Omit<SeededFile, 'file'>,
  parts: number,
): SeedShare[] {
  const seeds = Math.ceil(count.value / casesOfSeed);
  const startOf = (part: number): number => Math.floor((part * seeds) / parts);
  return Array.from({ length: parts }, (_, part) => {
    const [from, to] = [startOf(part), startOf(part + 1)];
    const cases = Math.min(to * casesOfSeed, count.value) - from * casesOfSeed;
    return { first: seed.value + from, cases };
  }).filter(({ cases }) => cases > 0);
}

const processes = 2;

/**
 * Runs a file in two processes, each with its share of the cases and of the cores: one process would leave half of them idle.
 * Sets the exit code of this process where a test fails.
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

/** Runs one test file and prints what comes of it; sets the exit code of this process where a test fails or is stopped. */
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
