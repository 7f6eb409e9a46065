import { RedoubtError } from '@redoubt/errors';
import { fileURLToPath } from 'node:url';
import { startConfinedProcess } from '../../parser/confined-process.ts';
import { describeErrorOutput } from '../../parser/error-output.ts';
import { readLines } from '../../parser/read-lines.ts';
import type { ParserHost } from '../../parser/start-parser.ts';
import { hashLength, lineKinds, type DatabaseTask } from './database-messages.ts';
import type { RowFilter, VersionedRow } from './row-filter.ts';
import { toSourceError } from '../unreachable-source-error.ts';

const program = fileURLToPath(new URL('./database-worker.ts', import.meta.url));
/** What the program loads. */
const readable = ['package.json', 'apps/server/', 'packages/', 'node_modules/'];

/** Enough for a row of the maximum size, several times. */
const heapMegabytes = 400;
const newline = 0x0a;
const [rowKind, versionedKind] = [lineKinds.row.charCodeAt(0), lineKinds.versioned.charCodeAt(0)];
/** The characters before a versioned row. */
const versionLength = 1 + hashLength + 1;

/** The row of a line, after its first characters. The line is valid until the next one is read, and rows are kept until they are stored. */
const copyRow = (line: Buffer, from: number): Buffer => {
  const row = Buffer.allocUnsafe(line.length - from + 1);
  line.copy(row, 0, from);
  row[row.length - 1] = newline;
  return row;
};

/** Only an incremental read has versioned rows, and it has a filter. */
const addTo = (filter: RowFilter | undefined, row: VersionedRow): AsyncIterable<Uint8Array> => {
  if (filter === undefined) throw new Error('A read without a filter has versioned rows.');
  return filter.add(row);
};

const datasourceError = (message: string): RedoubtError => new RedoubtError('DatasourceError', message);

/**
 * @param sent the message of the process, before its values are checked
 * @param hasRows whether it has read rows, which its message may repeat if it was taken over
 */
const toError = (
  name: string,
  sent: { message?: unknown; isUnreachable?: unknown },
  hasRows: boolean,
): RedoubtError => {
  return toSourceError(`${name}: ${String(sent.message)}`, sent.isUnreachable === true && !hasRows);
};

/**
 * Reads the rows of a database in a separate process, as lines of JSON. The process is killed when the loop is left.
 * @throws RedoubtError with the host, and never with the password
 */
export async function* readDatabase(
  host: ParserHost,
  task: DatabaseTask,
  name: string,
  signal: AbortSignal,
  filter?: RowFilter,
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
  let hasRows = false;
  try {
    for await (const line of readLines(child.output)) {
      hasRows ||= line[0] === rowKind || line[0] === versionedKind;
      if (line[0] === rowKind) {
        yield copyRow(line, 1);
        continue;
      }
      if (line[0] === versionedKind) {
        const version = line.toString('latin1', 1, versionLength);
        yield* addTo(filter, {
          row: copyRow(line, versionLength),
          hash: version.slice(0, hashLength),
          isKept: version.endsWith('1'),
        });
        continue;
      }
      const text = line.toString('utf8');
      if (text.startsWith(lineKinds.checkpoint)) {
        filter?.begin(text.slice(1));
        continue;
      }
      isComplete = true;
      if (text === lineKinds.end) {
        if (filter !== undefined) yield* filter.end();
        break;
      }
      throw toError(name, JSON.parse(text.slice(1)), hasRows);
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
    `${name}: the process that reads the database at ${task.host}:${String(task.port)} ended before the last row, as when a row needs too much memory. Select fewer or shorter columns, then try again.`,
  );
}
