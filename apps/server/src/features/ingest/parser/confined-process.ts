import { spawn, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { bundleOf, bundles, rootFolder } from '../../../platform/bundles/bundled-programs.ts';
import { keepErrorOutput } from './error-output.ts';

/** A running process that reads hostile bytes. */
export interface ConfinedProcess {
  /** Undefined if it could not be started. */
  pid: number | undefined;
  output: Readable;
  /** What it has written to standard error so far. */
  errors: ReturnType<typeof keepErrorOutput>;
  /** Resolves when it has ended and its output was read or destroyed: with how it ended. */
  ended: Promise<string>;
  /** Kills it, and everything that it may have started. */
  kill(): void;
  /** Kills it and drops the rest of its output. */
  end(): void;
}

/** Requests of people come before the reading of files. */
const lowPriority = 10;

const ignoreEnded = (act: () => void): void => {
  try {
    act();
  } catch {
    // The process has ended already.
  }
};

/** What a confined process is started with. */
export interface ConfinedCommand {
  /** The program and its arguments, after the words that confine it. */
  words: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Sent to standard input: other users of the machine can see arguments, and their length is limited. */
  input: string | Uint8Array;
  /** Kills the process when it is aborted. */
  signal: AbortSignal;
  /** An open file that the process gets as its descriptor 3. */
  descriptor?: number | undefined;
}

/** Starts a confined process in a group of its own. */
export const startConfinedCommand = ({
  words,
  env = {},
  input,
  signal,
  descriptor,
}: ConfinedCommand): ConfinedProcess => {
  const child: ChildProcess = spawn(words[0] ?? process.execPath, words.slice(1), {
    cwd: '/',
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...(descriptor === undefined ? [] : [descriptor])],
  });
  const { pid } = child;
  if (pid !== undefined) ignoreEnded(() => setPriority(pid, lowPriority));
  const ended = new Promise<string>((resolve) => {
    child.once('error', () => resolve('it could not be started'));
    child.once('close', (code, killedBy) => resolve(killedBy ?? `it ended with ${String(code)}`));
  });
  // An error means that the process has ended, which its output and `ended` tell.
  child.stdin?.on('error', () => undefined).end(input);
  const kill = (): void => {
    if (pid !== undefined) ignoreEnded(() => process.kill(-pid, 'SIGKILL'));
  };
  signal.addEventListener('abort', kill, { once: true });
  return {
    pid,
    output: child.stdout as Readable,
    errors: keepErrorOutput(child.stderr),
    ended,
    kill,
    end: () => {
      signal.removeEventListener('abort', kill);
      kill();
      // The process counts as closed only after its output has been read.
      child.stdout?.destroy();
    },
  };
};

/**
 * Starts a program of this server that may load its own code, open no other file, and start no process.
 * @param prefix the words that confine it, from `Confinement`
 * @param readable folders and files below the root of the repository that it loads
 * @param task sent to standard input as JSON
 */
export const startConfinedProcess = ({
  prefix,
  program,
  readable,
  heapMegabytes,
  task,
  signal,
  descriptor,
}: {
  prefix: readonly string[];
  program: string;
  readable: readonly string[];
  heapMegabytes: number;
  task: unknown;
  signal: AbortSignal;
  descriptor?: number;
}): ConfinedProcess =>
  startConfinedCommand({
    words: [
      ...prefix,
      process.execPath,
      `--max-old-space-size=${String(heapMegabytes)}`,
      '--disable-proto=throw',
      '--no-warnings',
      '--permission',
      ...[...readable.map((path) => `${rootFolder}${path}`), `${bundles}/`].map(
        (path) => `--allow-fs-read=${path}`,
      ),
      bundleOf(program),
    ],
    input: JSON.stringify(task),
    signal,
    descriptor,
  });
