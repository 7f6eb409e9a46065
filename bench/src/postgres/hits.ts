import { Client } from 'pg';
import type { ResultRows } from '../hits/result-rows.ts';
import { createOwnDatabase } from './own-database.ts';

export interface PostgresHits {
  /** Loads a file with (record_id, label_id, body). */
  load(file: string): Promise<void>;
  /** Restricts all later queries to the records with these label ids. */
  setVisible(labelIds: readonly number[]): Promise<void>;
  run(sql: string): Promise<ResultRows>;
  /** Drops its database. */
  close(): Promise<void>;
}

const makeTable = `
DROP TABLE IF EXISTS hits, visible;
CREATE TABLE hits (record_id text PRIMARY KEY, label_id int NOT NULL, body jsonb NOT NULL);
CREATE TABLE visible (id int PRIMARY KEY);
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bench_reader') THEN CREATE ROLE bench_reader; END IF;
END $$;
`;

const protect = `
ALTER TABLE hits ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON hits, visible TO bench_reader;
CREATE POLICY visible ON hits FOR SELECT TO bench_reader USING (label_id IN (SELECT id FROM visible));
`;

/** Opens a database of its own for hits as jsonb with row-level security. Queries return every value as text. */
export async function openPostgresHits(server: string): Promise<PostgresHits> {
  const database = await createOwnDatabase(server);
  const client = new Client({ connectionString: database.url, types: { getTypeParser: () => String } });
  await client.connect();
  const execute = async (statements: string): Promise<void> => void (await client.query(statements));
  return {
    async load(file) {
      await execute('RESET ROLE');
      await execute(makeTable);
      await execute(`COPY hits FROM '${file}'`);
      await execute(protect);
      await execute('VACUUM ANALYZE hits');
      await execute('CHECKPOINT');
    },
    async setVisible(labelIds) {
      await execute('RESET ROLE');
      await execute(`TRUNCATE visible; INSERT INTO visible SELECT unnest('{${labelIds.join(',')}}'::int[])`);
      await execute('ANALYZE visible');
      await execute("SET ROLE bench_reader; SET jit = off; SET time zone 'UTC'");
    },
    async run(text) {
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
      return rows;
    },
    async close() {
      await client.end();
      await database.drop();
    },
  };
}
