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

/** An interpreter that runs one block after the other, with variables that last. */
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

/** Starts `command`, which reads names of files and writes a line to its fourth channel when it has run one. */
export const startSession = (
  command: readonly [string, ...string[]],
  given: { folder: string; state: string; environment: NodeJS.ProcessEnv },
): Session => {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: given.folder,
    env: given.environment,
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
    // A group of its own, so that what blocks have left running ends with it.
    detached: true,
  });
  const input = child.stdin;
  // Of one that has ended `run` says so.
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
        // It had ended by itself.
      }
    },
  };
};
