import { readDatabase } from '@redoubt/server/testing';
import { Client } from 'pg';
import { ingestColumns } from '../files/ingest-files.ts';
import { createOwnDatabase } from '../postgres/own-database.ts';

/** A table of PostgreSQL with the rows of a CSV file. */
export interface FilledTable {
  connection: { host: string; port: number; database: string; username: string; password: string };
  name: string;
  /** Writes the table to a CSV file of the PostgreSQL server. @returns milliseconds */
  copyTo(path: string): Promise<number>;
  drop(): Promise<void>;
}

const name = 'source_rows';

export async function fillTable(server: string, csv: string): Promise<FilledTable> {
  const own = await createOwnDatabase(server);
  const client = new Client({ connectionString: own.url });
  await client.connect();
  const columns = ingestColumns.map(([column, , type]) => `${column} ${type}`).join(', ');
  await client.query(`CREATE TABLE ${name} (${columns})`);
  await client.query(`COPY ${name} FROM '${csv}' WITH (FORMAT csv, HEADER true)`);
  await client.query(`VACUUM ANALYZE ${name}`);
  const { hostname, port, pathname, username, password } = new URL(own.url);
  return {
    connection: {
      host: hostname,
      port: Number(port),
      database: pathname.slice(1),
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
    },
    name,
    copyTo: async (path) => {
      const start = performance.now();
      await client.query(`COPY ${name} TO '${path}' WITH (FORMAT csv, HEADER true)`);
      return performance.now() - start;
    },
    drop: async () => {
      await client.end();
      await own.drop();
    },
  };
}

/** Reads a table as a job does, in a process of its own, and stores nothing. @returns milliseconds */
export async function readTable({ connection, name: table }: FilledTable, rows: number): Promise<number> {
  const host = { prefix: [], networked: [], hasNoNetwork: false, hasLimits: false, report: () => undefined };
  const task = {
    ...connection,
    databaseType: 'postgresql',
    isSecure: false,
    allowsPrivate: true,
    table,
    columns: [],
    requiredColumns: [],
  };
  const start = performance.now();
  const items = readDatabase(host, task, table, new AbortController().signal);
  let found = 0;
  while ((await items.next()).done !== true) found++;
  if (found !== rows)
    throw new Error(`The reader of PostgreSQL found ${String(found)} of ${String(rows)} rows.`);
  return performance.now() - start;
}
