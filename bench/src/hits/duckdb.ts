import { DuckDBInstance } from '@duckdb/node-api';
import { availableParallelism } from 'node:os';
import type { ResultRows } from './result-rows.ts';
import { duckDbColumns } from './dialects.ts';

export interface DuckDb {
  /** Makes the table of hits out of a file of (record_id, label_id, raw), with tabs between. */
  load(file: string): Promise<void>;
  /** From now on conditions let the records with these label ids through. */
  see(labelIds: readonly number[]): Promise<void>;
  ask(sql: string): Promise<ResultRows>;
  close(): void;
}

/** DuckDB in this process, with its table in memory and the labels as a condition of each query. */
export async function openDuckDb(): Promise<DuckDb> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(availableParallelism()) });
  const connection = await instance.connect();
  const run = async (sql: string): Promise<void> => void (await connection.run(sql));
  return {
    async load(file) {
      await run('DROP TABLE IF EXISTS hits');
      const columns = `{'record_id': 'VARCHAR', 'label_id': 'UINTEGER', 'raw': 'VARCHAR'}`;
      const rows = `read_csv('${file}', delim = '\t', header = false, quote = '', escape = '', columns = ${columns})`;
      await run(`CREATE TABLE hits AS SELECT label_id, raw, ${duckDbColumns} FROM ${rows}`);
    },
    async see(labelIds) {
      await run(
        `CREATE OR REPLACE TABLE visible AS SELECT unnest([${labelIds.join(',')}]::UINTEGER[]) AS id`,
      );
    },
    async ask(sql) {
      const answer = await connection.runAndReadAll(sql);
      return answer.getRowsJson();
    },
    close: () => connection.closeSync(),
  };
}
