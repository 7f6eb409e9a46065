import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { changedFiles } from './affected/changed-files.ts';
import { steps } from './steps.ts';

/** What a run of the tests was asked for. */
export interface RunOptions {
  /** Whether each test runs in its full form. */
  readonly isFull: boolean;
  /** The names of the steps that run; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** A glob of the test files that run; undefined for all. */
  readonly files: string | undefined;
  /** The changed files whose tests run; undefined if a change does not choose the tests. */
  readonly changed: readonly string[] | undefined;
  /** What random choices follow, so that they can be repeated: the commit of the checkout. */
  readonly seed: string;
}

const usage = `Usage: npm test -- [--all] [--affected [--base <commit>]] [--only <step>[,<step>]] [--files <glob of test files>]
  --all       runs everything, each test in its full form
  --affected  runs for some minutes what the changed files reach, the nearest first
  --base      the commit that changes are counted from: without it, uncommitted changes, or else the last commit
Steps: ${steps.map(({ name }) => name).join(', ')}`;

/** Reads the options of the command line. Ends the process with the usage if they cannot be honoured. */
export function readRunOptions(): RunOptions {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      affected: { type: 'boolean', default: false },
      base: { type: 'string' },
      only: { type: 'string' },
      files: { type: 'string' },
    },
  });
  const only = values.only?.split(',');
  const unknown = only?.find((name) => !steps.some((step) => step.name === name));
  if (unknown !== undefined) refuse(`Unknown step "${unknown}".`);
  if (values.affected && (values.all || values.files !== undefined))
    refuse('--affected chooses the tests itself. Leave out --all and --files.');
  if (values.base !== undefined && !values.affected) refuse('--base needs --affected.');
  return {
    isFull: values.all || values.files !== undefined,
    only,
    files: values.files,
    changed: values.affected ? changedFiles(values.base) : undefined,
    seed: process.env.REDOUBT_TEST_SEED ?? headCommit(),
  };
}

/** Prints a problem of the command line and how it is used, and ends the process. */
export function refuse(problem: string): never {
  console.error(`${problem}\n${usage}`);
  process.exit(1);
}

function headCommit(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
  return stdout.trim() || 'redoubt';
}
