import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface Outcome {
  readonly succeeded: boolean;
  readonly output: string;
  readonly errors: string;
}

/** An interpreter that runs blocks one after another, with lasting variables. */
export interface Session {
  run(name: string, text: string): Promise<Outcome>;
  close(): void;
}

const contentOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const nextLine = async (lines: Interface, child: ChildProcess): Promise<string> => {
  const ended = new AbortController();
  try {
    const line = once(lines, 'line', { signal: ended.signal });
    const end = child.exitCode === null ? once(child, 'exit', { signal: ended.signal }) : Promise.resolve([]);
    const [told] = await Promise.race([line, end.then(() => ['ended'])]);
    return String(told);
  } finally {
    ended.abort();
  }
};

/** Starts `command`. It must read file names, run them, and write a line to file descriptor 3 after each. */
export const startSession = (
  command: readonly [string, ...string[]],
  given: { folder: string; state: string; environment: NodeJS.ProcessEnv },
): Session => {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: given.folder,
    env: given.environment,
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
    // A process group of its own, so that background processes of the blocks end with it.
    detached: true,
  });
  const input = child.stdin;
  // `run` reports a process that has exited.
  input?.on('error', () => undefined);
  const lines = createInterface(child.stdio[3] as Readable);
  return {
    run: async (name, text) => {
      const path = join(given.state, name);
      writeFileSync(path, `${text}\n`);
      input?.write(`${path}\n`);
      const said = await nextLine(lines, child);
      return {
        succeeded: said === 'done',
        output: contentOf(`${path}.out`),
        errors: contentOf(`${path}.err`),
      };
    },
    close: () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The process has already exited.
      }
    },
  };
};
