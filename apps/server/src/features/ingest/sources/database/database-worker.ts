import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { ReaderError } from '../reader-error.ts';
import { lineKinds, toLine, type DatabaseReader, type DatabaseTask } from './database-messages.ts';
import { readMssql } from './mssql-reader.ts';
import { readMysql } from './mysql-reader.ts';
import { readPostgres } from './postgres-reader.ts';

/**
 * The program of a process that reads a database: it writes its rows to standard output. What a database sends is parsed
 * here, where it can reach neither the files nor the memory of the server. `lineKinds` has the
 * kinds of lines.
 */
const readers: Readonly<Record<string, DatabaseReader>> = {
  postgresql: readPostgres,
  mysql: readMysql,
  mssql: readMssql,
};

/** Number of characters that are written at once. */
const writtenAtOnce = 256 * 1024;

const task = JSON.parse(await text(process.stdin)) as DatabaseTask;
let waiting = '';

const flush = async (): Promise<void> => {
  const lines = waiting;
  waiting = '';
  if (lines !== '' && !process.stdout.write(lines)) await once(process.stdout, 'drain');
};

try {
  const read = readers[task.databaseType];
  if (read === undefined) throw new ReaderError('There is no such kind of database.');
  for await (const item of read(task)) {
    waiting += toLine(item);
    if (waiting.length >= writtenAtOnce) await flush();
  }
  waiting += `${lineKinds.end}\n`;
} catch (error) {
  if (!(error instanceof ReaderError)) throw error;
  const { message, isUnreachable } = error;
  waiting += `${lineKinds.error}${JSON.stringify({ message, isUnreachable })}\n`;
}
await flush();
