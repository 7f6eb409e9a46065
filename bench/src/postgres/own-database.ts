import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** A database for one part of the benchmark, on a shared server. */
export interface OwnDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database with a random name. Call `drop` after the part. @param server the URL of a PostgreSQL server */
export async function createOwnDatabase(server: string): Promise<OwnDatabase> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  await once(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => once(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function once(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
