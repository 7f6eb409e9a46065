import { spawn, type ChildProcess } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';
import { parserMemoryBytes, type Confinement } from './confinement.ts';
import { describeErrorOutput, keepErrorOutput } from './error-output.ts';
import type { ParserError, ParserOpened, ParserReject, ParserTask } from './parser-messages.ts';
import { silentProcessorSeconds, watchProcess, type WatchedFile } from './process-watch.ts';
import { readLines } from './read-lines.ts';

/** The output of a parser, in the order of the file. */
export type ParserItem =
  | { kind: 'opened'; opened: ParserOpened }
  | { kind: 'inside'; file: string | undefined }
  | { kind: 'row'; line: number; offset: number; json: Buffer }
  | ({ kind: 'reject' } & ParserReject)
  | { kind: 'progress'; bytes: number }
  | ({ kind: 'fault' } & ParserError);

const program = fileURLToPath(new URL('./parser-worker.ts', import.meta.url));
const repository = fileURLToPath(new URL('../../../../../../', import.meta.url));
/** The parser may load its own code and open no other file. */
const readable = [
  'package.json',
  'apps/server/package.json',
  'apps/server/src/features/ingest/parser/',
  'packages/',
  'node_modules/',
].map((path) => `--allow-fs-read=${repository}${path}`);

const heapMegabytes = 700;

/** Kills the process and everything that it may have started. */
const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
};

/** Requests of people come before the reading of files. */
const parserPriority = 10;

const lowerPriority = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    setPriority(pid, parserPriority);
  } catch {
    // It has ended already.
  }
};

/**
 * A message before its values are checked. A process that reads hostile bytes may write anything, so nothing in it is
 * trusted.
 */
type Unchecked<Message> = { [Key in keyof Message]?: unknown };

const comma = 0x2c;
/** Maximum number of characters that are kept of a path inside an archive. */
const maxInnerPath = 1000;

const toItem = (line: Buffer): ParserItem | undefined => {
  const text = (): string => line.toString('utf8', 1);
  switch (String.fromCharCode(line[0] ?? 0)) {
    case 'R': {
      const first = line.indexOf(comma, 1);
      const second = line.indexOf(comma, first + 1);
      return {
        kind: 'row',
        line: toCount(line.toString('latin1', 1, first)),
        offset: toCount(line.toString('latin1', first + 1, second)),
        json: line.subarray(second + 1),
      };
    }
    case 'X': {
      const { line: at, offset, reason, text: row, fields } = JSON.parse(text()) as Unchecked<ParserReject>;
      return {
        kind: 'reject',
        line: toCount(at),
        offset: toCount(offset),
        reason: String(reason),
        text: String(row),
        fields: typeof fields === 'string' ? fields : undefined,
      };
    }
    case 'I': {
      const file: unknown = JSON.parse(text());
      return { kind: 'inside', file: typeof file === 'string' ? file.slice(0, maxInnerPath) : undefined };
    }
    case 'P':
      return { kind: 'progress', bytes: toCount(text()) };
    case 'O':
      return { kind: 'opened', opened: JSON.parse(text()) as ParserOpened };
    case 'F': {
      const { line: at, text: error } = JSON.parse(text()) as Unchecked<ParserError>;
      return { kind: 'fault', line: toCount(at), text: String(error) };
    }
    case 'E':
      return undefined;
    default:
      throw new Error('A parser process wrote what is no message.');
  }
};

const toCount = (value: unknown): number => {
  const count = Number(value);
  return Number.isSafeInteger(count) && count >= 0 ? count : 0;
};

const formatOf = ({ format, containers }: Unchecked<ParserOpened>): Omit<WatchedFile, 'size'> => ({
  format: String(format),
  containers: Array.isArray(containers) ? containers.map(String) : [],
});

/** The confinement of parser processes. */
export interface ParserHost extends Confinement {
  /**
   * Called when a process ends before the end of its file.
   * @param errors its error output, without anything from the file
   */
  report(why: string, errors: readonly string[]): void;
  /** Replaces the limit of processor time without output; for tests. */
  silentSeconds?: typeof silentProcessorSeconds;
}

/**
 * Reads a file in a separate process, which is killed when the loop is left.
 * @param descriptor the file, open for reading
 */
export async function* parseFile(
  host: ParserHost,
  descriptor: number,
  task: ParserTask,
  signal: AbortSignal,
): AsyncGenerator<ParserItem> {
  signal.throwIfAborted();
  const args = [
    `--max-old-space-size=${String(heapMegabytes)}`,
    '--disable-proto=throw',
    '--no-warnings',
    '--permission',
    ...readable,
    program,
  ];
  const words = [...host.prefix, process.execPath, ...args];
  const child = spawn(words[0] ?? process.execPath, words.slice(1), {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', descriptor],
  });
  lowerPriority(child);
  const ended = new Promise<string>((resolve) => {
    child.once('error', () => resolve('it could not be started'));
    child.once('close', (code, killedBy) => resolve(killedBy ?? `it ended with ${String(code)}`));
  });
  // The task is sent to standard input, because other users of the machine can see arguments, and the length of
  // arguments is limited. An error means that the process has ended, which the code below notices.
  child.stdin?.on('error', () => undefined).end(JSON.stringify(task));
  const stop = (): void => killGroup(child);
  signal.addEventListener('abort', stop, { once: true });
  const errors = keepErrorOutput(child.stderr);
  let file: WatchedFile = { size: fstatSync(descriptor).size };
  let stopped: string | undefined;
  const watch =
    child.pid === undefined
      ? undefined
      : watchProcess(
          child.pid,
          host,
          () => (host.silentSeconds ?? silentProcessorSeconds)(file),
          (why) => {
            stopped ??= why;
            stop();
          },
        );
  let isComplete = false;
  try {
    const lines = readLines(child.stdout as Readable);
    for (;;) {
      watch?.waiting();
      const next = await lines.next();
      watch?.heard();
      if (next.done === true) break;
      const item = toItem(next.value);
      if (item === undefined) {
        isComplete = true;
        break;
      }
      if (item.kind === 'opened') file = { size: file.size, ...formatOf(item.opened) };
      if (item.kind === 'fault') isComplete = true;
      yield item;
      if (isComplete) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
  } finally {
    watch?.end();
    signal.removeEventListener('abort', stop);
    stop();
    // The process counts as closed only after its output has been read.
    child.stdout?.destroy();
  }
  const end = await ended;
  signal.throwIfAborted();
  if (isComplete) return;
  const why =
    stopped ??
    `it ended before the end of the file, as when it needs more than ${String(parserMemoryBytes / 1_000_000)} MB of memory`;
  host.report(stopped ?? end, describeErrorOutput(errors()));
  yield {
    kind: 'fault',
    line: 0,
    text: `the process that reads the file was stopped: ${why}. Split the file, or store it in a simpler format.`,
  };
}
