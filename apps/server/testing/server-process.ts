import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The server as people run it: a separate process with its engines embedded in `dataDir`. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Everything it has printed. */
  output(): string;
  /** Kills it at once, like a power failure. */
  kill(): Promise<void>;
  /** Sends it a signal, SIGTERM by default, and returns its exit code. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>;
}

/** The variables that `npm run` sets for its programs. Without them, programs read all sources again. */
export const programEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  ['NODE_COMPILE_CACHE', 'UV_THREADPOOL_SIZE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

const entry = join(import.meta.dirname, '../src/main.ts');

/** The process ended before it was ready; `output` is what it printed. */
export class ServerDidNotStart extends Error {
  readonly output: string;
  readonly exitCode: number | null;
  constructor(output: string, exitCode: number | null) {
    super(`The server ended with code ${String(exitCode)} before it was ready:\n${output}`);
    this.output = output;
    this.exitCode = exitCode;
  }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : once(child, 'exit').then(([code]) => code as number | null);

/** Starts the server on a free port and waits until it is ready. */
export const startServerProcess = async (options: {
  dataDir: string;
  environment?: Record<string, string>;
  args?: string[];
}): Promise<ServerProcess> => {
  const child = spawn(process.execPath, [entry, ...(options.args ?? [])], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: options.dataDir, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const ready = /Redoubt is ready on (\S+?)\.? /.exec(output);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('exit', (code) => reject(new ServerDidNotStart(output, code)));
  });
  return {
    url,
    // It has printed something, so it has started.
    pid: child.pid ?? 0,
    output: () => output,
    kill: async () => {
      child.kill('SIGKILL');
      await ended(child);
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended(child);
    },
  };
};
