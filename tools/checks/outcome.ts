import { inspect } from 'node:util';
import { isAbsolute, relative } from 'node:path';
import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';

/** What one event of a test run comes to; a note is a fault of the run as a whole. */
export type Outcome =
  | { readonly kind: 'passed' | 'skipped' }
  | { readonly kind: 'failed' | 'note'; readonly text: string };

/** Where one process runs several files: each is a test that holds those of the file. */
export interface SharedFiles {
  readonly files: ReadonlySet<string>;
  /** Takes up the files that have come to their end. */
  readonly ended: Set<string>;
}

export interface OutcomeReader {
  read(event: TestEvent): Outcome[];
  /** The names of what has begun and not ended, from the file inwards. */
  underway(): string;
}

const errorLines = 30;
const outputCharacters = 3000;

/**
 * Reads the events of a test run so that each test counts once: suites and tests that hold subtests count
 * through what they hold, unless they fail by themselves (a hook, say); a file without a test is a failure.
 */
export function createOutcomeReader(shared?: SharedFiles): OutcomeReader {
  const path: { name: string; holdsTests: boolean }[] = [];
  /** By file, since the start of a test is only reported in `path` once all before it have ended. */
  const begun = new Map<string | undefined, string[]>();
  const output = new Map<string, string>();

  return {
    read,
    underway: () =>
      [...begun.values()]
        .filter((names) => names.length > 0)
        .map((names) => names.map((name) => (isAbsolute(name) ? fileAt(name) : name)).join(' > '))
        .join(' and '),
  };

  function read(event: TestEvent): Outcome[] {
    if (event.type === 'test:dequeue') return began(event.data, [event.data.name]);
    if (event.type === 'test:complete') return began(event.data, []);
    if (event.type === 'test:start') return started(event.data);
    if (event.type === 'test:pass') return passed(event.data);
    if (event.type === 'test:fail') return failed(event.data);
    if (event.type === 'test:stdout' || event.type === 'test:stderr') return printed(event.data);
    if (event.type === 'test:coverage') return event.data.summary.files.flatMap(uncovered);
    const ofTheRun = event.type === 'test:diagnostic' && event.data.level === 'error';
    return ofTheRun ? [{ kind: 'note', text: event.data.message }] : [];
  }

  function started({ name, nesting }: EventData.TestStart): Outcome[] {
    const parent = path[nesting - 1];
    if (parent) parent.holdsTests = true;
    path[nesting] = { name, holdsTests: false };
    path.length = nesting + 1;
    return [];
  }

  function began(data: EventData.TestDequeue | EventData.TestComplete, names: string[]): Outcome[] {
    if (isFile(data)) return [];
    // A process that files share works at one of them at a time, which is a test that holds theirs.
    const file = shared === undefined ? data.file : undefined;
    begun.set(file, [...(begun.get(file) ?? []).slice(0, data.nesting), ...names]);
    return [];
  }

  function printed({ file, message }: EventData.TestStdout | EventData.TestStderr): Outcome[] {
    output.set(file, ((output.get(file) ?? '') + message).slice(-outputCharacters));
    return [];
  }

  function passed(data: EventData.TestPass): Outcome[] {
    if (data.skip !== undefined || data.todo !== undefined) return [{ kind: 'skipped' }];
    const holdsTests = data.details.type === 'suite' || path[data.nesting]?.holdsTests === true;
    if (isSharedFile(data)) {
      shared?.ended.add(data.name);
      return path[0]?.holdsTests === true
        ? []
        : [{ kind: 'failed', text: `${fileAt(data.name)} holds no test` }];
    }
    // Of the processes that share files, one may come too late to get any.
    if (isFile(data))
      return shared === undefined ? [{ kind: 'failed', text: `${place(data)} holds no test` }] : [];
    return holdsTests ? [] : [{ kind: 'passed' }];
  }

  function failed(data: EventData.TestFail): Outcome[] {
    const { error } = data.details;
    if (isSharedFile(data)) shared?.ended.add(data.name);
    if ('failureType' in error && error.failureType === 'subtestsFailed') return [];
    if (isSharedFile(data)) {
      return [{ kind: 'failed', text: `${fileAt(data.name)} failed as a whole\n${describe(error)}` }];
    }
    if (isFile(data)) {
      return [{ kind: 'failed', text: `${place(data)} ended early\n${output.get(data.name) ?? ''}` }];
    }
    const above = path.slice(shared === undefined ? 0 : 1, data.nesting);
    const name = [...above, data].map(({ name }) => name).join(' > ');
    return [{ kind: 'failed', text: `${name} (${place(data)})\n${describe(error)}` }];
  }

  function isSharedFile({ nesting, name }: { nesting: number; name: string }): boolean {
    return nesting === 0 && shared?.files.has(name) === true;
  }
}

/** The runner reports a file as a test of its own when it holds none or ends before them. */
function isFile(data: { name: string; nesting: number; file?: string }): boolean {
  return data.nesting === 0 && data.name === data.file;
}

function place(data: { name: string; file?: string; line?: number }): string {
  return fileAt(data.file ?? data.name, data.line);
}

/** The place of a fault, as people read it: `folder/a.test.ts:12`. */
export function fileAt(file: string, line = 1): string {
  return `${relative(process.cwd(), file)}:${line}`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  // The runner wraps what a test has thrown.
  if ('failureType' in error && error.cause !== undefined) return describe(error.cause);
  const lines = (error.stack ?? error.message).split('\n').filter((line) => !/^\s+at .*\(?node:/.test(line));
  const cause = error.cause === undefined ? '' : `\ncaused by ${describe(error.cause)}`;
  return lines.slice(0, errorLines).join('\n') + cause;
}

function uncovered(file: EventData.TestCoverage['summary']['files'][number]): Outcome[] {
  const where = [
    ...file.lines.filter(({ count }) => count === 0).map(({ line }) => `line ${line}`),
    ...file.branches.filter(({ count }) => count === 0).map(({ line }) => `a branch of line ${line}`),
    ...file.functions.filter(({ count }) => count === 0).map(({ name, line }) => `${name} (line ${line})`),
  ];
  if (where.length === 0) return [];
  return [{ kind: 'note', text: `${relative(process.cwd(), file.path)}: no test runs ${where.join(', ')}` }];
}
