import { Client } from 'pg';
import type { Search } from '../searches.ts';
import { createOwnDatabase } from './own-database.ts';

export type PostgresKind = 'plain' | 'indexed';

export interface PostgresContender {
  /**
   * Loads a file with the columns record_id, label_id and body into both tables.
   * @returns the milliseconds for `plain`
   */
  load(file: string): Promise<number>;
  /** Restricts all later searches to the records with these label ids. */
  setVisible(labelIds: readonly number[]): Promise<void>;
  search(kind: PostgresKind, search: Search): Promise<{ milliseconds: number; total: number; rows: number }>;
  /** Drops its database. */
  close(): Promise<void>;
}

const wordsOf = (expression: string): string => `tsvector GENERATED ALWAYS AS (${expression}) STORED`;

/**
 * Two tables of jsonb with row-level security: `plain` has only the document and the primary key; `indexed` has
 * everything that an expert would add for these searches. With row-level security, PostgreSQL uses an index only for
 * leakproof functions. Comparisons are leakproof; text search is not, unless the owner of the server declares it.
 */
const makeTables = `
DROP TABLE IF EXISTS plain, indexed;
CREATE TABLE plain (record_id text PRIMARY KEY, label_id int NOT NULL, body jsonb NOT NULL);
CREATE TABLE indexed (
  record_id text PRIMARY KEY, label_id int NOT NULL, body jsonb NOT NULL,
  amount float8 GENERATED ALWAYS AS ((body->>'amount')::float8) STORED,
  text_words ${wordsOf(`to_tsvector('simple', coalesce(body->>'text', ''))`)},
  all_words ${wordsOf(`jsonb_to_tsvector('simple', body, '["string", "numeric", "boolean"]')`)}
);
ALTER FUNCTION ts_match_vq(tsvector, tsquery) LEAKPROOF;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bench_reader') THEN CREATE ROLE bench_reader; END IF;
END $$;
`;
const afterLoad = `
CREATE INDEX ON indexed (amount);
CREATE INDEX ON indexed USING gin (text_words);
CREATE INDEX ON indexed USING gin (all_words);
${['plain', 'indexed']
  .map(
    (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON ${table} TO bench_reader;
CREATE POLICY visible ON ${table} FOR SELECT TO bench_reader
  USING (label_id IN (SELECT unnest(current_setting('bench.labels')::int[])));`,
  )
  .join('')}
`;

/**
 * The fastest predicate that we know for the result of a search. Without an index, a regular expression is much faster
 * than `to_tsvector`.
 */
function predicate(kind: PostgresKind, { wanted }: Search): string {
  const plain = kind === 'plain';
  switch (wanted.kind) {
    case 'amount':
      return `${plain ? `(body->>'amount')::float8` : 'amount'} BETWEEN ${wanted.from} AND ${wanted.to}`;
    case 'any':
      return plain ? `body::text ~* '\\m${wanted.word}\\M'` : `all_words @@ '${wanted.word}'::tsquery`;
    case 'text':
      return plain ? `body->>'text' ~* '\\m${wanted.word}\\M'` : `text_words @@ '${wanted.word}'::tsquery`;
  }
}

/** Opens both tables in their own database on this server. */
export async function connectPostgres(server: string): Promise<PostgresContender> {
  const database = await createOwnDatabase(server);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const run = async (statements: string): Promise<void> => void (await client.query(statements));

  return {
    async load(file) {
      await run('RESET ROLE');
      await run(makeTables);
      const start = performance.now();
      await run(`COPY plain FROM '${file}'`);
      const milliseconds = performance.now() - start;
      await run(
        'INSERT INTO indexed (record_id, label_id, body) SELECT record_id, label_id, body FROM plain',
      );
      await run(afterLoad);
      await run('VACUUM ANALYZE plain');
      await run('VACUUM ANALYZE indexed');
      return milliseconds;
    },
    async setVisible(labelIds) {
      await run('SET ROLE bench_reader');
      await run(`SET bench.labels = '{${labelIds.join(',')}}'`);
      // With this number of records, JIT compilation takes more time than it saves.
      await run('SET jit = off');
    },
    async search(kind, search) {
      const where = `FROM ${kind} WHERE ${predicate(kind, search)}`;
      const start = performance.now();
      const rows = await client.query(`SELECT body::text ${where} ORDER BY record_id LIMIT 10`);
      const count = await client.query<{ total: string }>(`SELECT count(*) AS total ${where}`);
      const milliseconds = performance.now() - start;
      return { milliseconds, total: Number(count.rows[0]?.total), rows: rows.rows.length };
    },
    async close() {
      await client.end();
      await database.drop();
    },
  };
}
