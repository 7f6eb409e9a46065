import { RedoubtError } from '@redoubt/errors';
import { fileURLToPath } from 'node:url';
import { startConfinedProcess } from '../../parser/confined-process.ts';
import { describeErrorOutput } from '../../parser/error-output.ts';
import { readLines } from '../../parser/read-lines.ts';
import type { ParserHost } from '../../parser/start-parser.ts';
import type { DatabaseTask } from './database-messages.ts';

const program = fileURLToPath(new URL('./database-worker.ts', import.meta.url));
/** What the program loads. */
const readable = ['package.json', 'apps/server/', 'packages/', 'node_modules/'];

/** Enough for a row of the maximum size, several times. */
const heapMegabytes = 400;
const rowKind = 0x52;
const newline = 0x0a;

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
  const child = startConfinedProcess({
    prefix: host.networked,
    program,
    readable,
    heapMegabytes,
    task,
    signal,
  });
  let isComplete = false;
  try {
    for await (const line of readLines(child.output)) {
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
    child.end();
  }
  const end = await child.ended;
  signal.throwIfAborted();
  if (isComplete) return;
  host.report(end, describeErrorOutput(child.errors()));
  throw datasourceError(
    `${name}: the process that reads the database at ${task.host}:${String(task.port)} ended before the last row, as when a row needs too much memory. Select fewer or shorter columns, then retry the job.`,
  );
}
