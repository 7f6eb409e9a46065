import { RedoubtError } from '@redoubt/errors';
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describeErrorOutput, keepErrorOutput } from '../../parser/error-output.ts';
import { readLines } from '../../parser/read-lines.ts';
import type { ParserHost } from '../../parser/start-parser.ts';
import type { DatabaseTask } from './database-messages.ts';

const program = fileURLToPath(new URL('./database-worker.ts', import.meta.url));
const repository = fileURLToPath(new URL('../../../../../../../', import.meta.url));
/** The process may load its own code and open no other file. */
const readable = ['package.json', 'apps/server/', 'packages/', 'node_modules/'].map(
  (path) => `--allow-fs-read=${repository}${path}`,
);

/** Enough for a row of the maximum size, several times. */
const heapMegabytes = 400;
const rowKind = 0x52;
const newline = 0x0a;

const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
};

const datasourceError = (message: string): RedoubtError => new RedoubtError('DatasourceError', message);

/**
 * Reads the rows of a database in a separate process, as lines of JSON. The process is killed when the loop is left.
 * @throws RedoubtError with the host, and never with the password
 */
export async function* readDatabase(
  host: ParserHost,
  task: DatabaseTask,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const words = [
    ...host.networked,
    process.execPath,
    `--max-old-space-size=${String(heapMegabytes)}`,
    '--disable-proto=throw',
    '--no-warnings',
    '--permission',
    ...readable,
    program,
  ];
  const child = spawn(words[0] ?? process.execPath, words.slice(1), {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', () => resolve('it could not be started'));
    child.once('close', (code, killedBy) => resolve(killedBy ?? `it ended with ${String(code)}`));
  });
  // An error means that the process has ended, which the code below notices.
  child.stdin.on('error', () => undefined).end(JSON.stringify(task));
  const stop = (): void => killGroup(child);
  signal.addEventListener('abort', stop, { once: true });
  const errors = keepErrorOutput(child.stderr);
  let isComplete = false;
  try {
    for await (const line of readLines(child.stdout)) {
      if (line[0] === rowKind) {
        // The line is valid until the next one is read, and rows are kept until they are stored.
        const row = Buffer.allocUnsafe(line.length);
        line.copy(row, 0, 1);
        row[row.length - 1] = newline;
        yield row;
        continue;
      }
      isComplete = true;
      const text = line.toString('utf8');
      if (text === 'E') break;
      throw datasourceError(`${name}: ${String(JSON.parse(text.slice(1)))}`);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (isComplete || !(error instanceof Error)) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
    // The process counts as closed only after its output has been read.
    child.stdout.destroy();
  }
  const end = await ended;
  signal.throwIfAborted();
  if (isComplete) return;
  host.report(end, describeErrorOutput(errors()));
  throw datasourceError(
    `${name}: the process that reads the database at ${task.host}:${String(task.port)} ended before the last row, as when a row needs too much memory. Select fewer or shorter columns, then retry the job.`,
  );
}
