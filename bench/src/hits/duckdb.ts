import { DuckDBInstance } from '@duckdb/node-api';
import { availableParallelism } from 'node:os';
import type { ResultRows } from './result-rows.ts';
import { duckDbColumns } from './dialects.ts';

export interface DuckDb {
  /** Creates the table of hits from a file whose columns are record_id, label_id and raw, separated by tabs. */
  load(file: string): Promise<void>;
  /** Restricts all later queries to the records with these label ids. */
  setVisible(labelIds: readonly number[]): Promise<void>;
  run(sql: string): Promise<ResultRows>;
  close(): void;
}

/** Opens DuckDB in this process, with its table in memory and the labels as a condition of each query. */
export async function openDuckDb(): Promise<DuckDb> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(availableParallelism()) });
  const connection = await instance.connect();
  const execute = async (sql: string): Promise<void> => void (await connection.run(sql));
  return {
    async load(file) {
      await execute('DROP TABLE IF EXISTS hits');
      const columns = `{'record_id': 'VARCHAR', 'label_id': 'UINTEGER', 'raw': 'VARCHAR'}`;
      const rows = `read_csv('${file}', delim = '\t', header = false, quote = '', escape = '', columns = ${columns})`;
      await execute(`CREATE TABLE hits AS SELECT label_id, raw, ${duckDbColumns} FROM ${rows}`);
    },
    async setVisible(labelIds) {
      await execute(
        `CREATE OR REPLACE TABLE visible AS SELECT unnest([${labelIds.join(',')}]::UINTEGER[]) AS id`,
      );
    },
    async run(sql) {
      const result = await connection.runAndReadAll(sql);
      return result.getRowsJson();
    },
    close: () => connection.closeSync(),
  };
}
