import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { DatabaseError, type DatabaseReader, type DatabaseTask } from './database-messages.ts';
import { readMssql } from './mssql-reader.ts';
import { readMysql } from './mysql-reader.ts';
import { readPostgres } from './postgres-reader.ts';

/**
 * The program of a process that reads a database: it writes its rows to standard output. What a database sends is parsed
 * here, where it can reach neither the files nor the memory of the server. The lines are `R` and a row, `F` and an error as
 * JSON, or `E` at the end.
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
  if (read === undefined) throw new DatabaseError('There is no such kind of database.');
  for await (const row of read(task)) {
    waiting += `R${row}\n`;
    if (waiting.length >= writtenAtOnce) await flush();
  }
  waiting += 'E\n';
} catch (error) {
  if (!(error instanceof DatabaseError)) throw error;
  waiting += `F${JSON.stringify(error.message)}\n`;
}
await flush();
