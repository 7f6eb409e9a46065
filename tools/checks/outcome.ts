import { inspect } from 'node:util';
import { isAbsolute, relative } from 'node:path';
import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';

/** A result that an event of a test run reports. A note is an error of the whole run and not of a test. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly reason?: string }
  | { readonly kind: 'failed' | 'note'; readonly text: string };

/** The files of a process that runs several: each is a test that contains the tests of the file. */
export interface SharedFiles {
  readonly files: ReadonlySet<string>;
  /** The reader adds the files that have ended. */
  readonly ended: Set<string>;
}

export interface OutcomeReader {
  read(event: TestEvent): Outcome[];
  /** The names of the tests that are running, from the file inwards. */
  running(): string;
}

const errorLines = 30;
const outputCharacters = 3000;

/**
 * Converts the events of a test run so that each test counts once. Suites and tests with subtests count through their
 * subtests, unless they fail themselves (in a hook, for example). A file without a test is a failure.
 */
export function createOutcomeReader(shared?: SharedFiles): OutcomeReader {
  const path: { name: string; holdsTests: boolean }[] = [];
  /**
   * The running tests by file. `path` does not have them: a start is reported only when all earlier tests have ended.
   */
  const runningTests = new Map<string | undefined, string[]>();
  const output = new Map<string, string>();

  return {
    read,
    running: () =>
      [...runningTests.values()]
        .filter((names) => names.length > 0)
        .map((names) => names.map((name) => (isAbsolute(name) ? fileAt(name) : name)).join(' > '))
        .join(' and '),
  };

  function read(event: TestEvent): Outcome[] {
    if (event.type === 'test:dequeue') return setRunning(event.data, [event.data.name]);
    if (event.type === 'test:complete') return setRunning(event.data, []);
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

  function setRunning(data: EventData.TestDequeue | EventData.TestComplete, names: string[]): Outcome[] {
    if (isFile(data)) return [];
    // A shared process runs one file at a time, as a test that contains the tests of the file.
    const file = shared === undefined ? data.file : undefined;
    runningTests.set(file, [...(runningTests.get(file) ?? []).slice(0, data.nesting), ...names]);
    return [];
  }

  function printed({ file, message }: EventData.TestStdout | EventData.TestStderr): Outcome[] {
    output.set(file, ((output.get(file) ?? '') + message).slice(-outputCharacters));
    return [];
  }

  function passed(data: EventData.TestPass): Outcome[] {
    if (data.skip !== undefined || data.todo !== undefined)
      return [{ kind: 'skipped', ...(typeof data.skip === 'string' ? { reason: data.skip } : {}) }];
    const holdsTests = data.details.type === 'suite' || path[data.nesting]?.holdsTests === true;
    if (isSharedFile(data)) {
      shared?.ended.add(data.name);
      return path[0]?.holdsTests === true
        ? []
        : [{ kind: 'failed', text: `${fileAt(data.name)} contains no test` }];
    }
    // A shared process may start too late to get any file.
    if (isFile(data))
      return shared === undefined ? [{ kind: 'failed', text: `${place(data)} contains no test` }] : [];
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

/** Whether the event is about a file: the runner reports a file as a test if it has no tests or ends before them. */
function isFile(data: { name: string; nesting: number; file?: string }): boolean {
  return data.nesting === 0 && data.name === data.file;
}

function place(data: { name: string; file?: string; line?: number }): string {
  return fileAt(data.file ?? data.name, data.line);
}

/** The location of an error for people: `folder/a.test.ts:12`. */
export function fileAt(file: string, line = 1): string {
  return `${relative(process.cwd(), file)}:${line}`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  // The runner wraps the error that a test throws.
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
