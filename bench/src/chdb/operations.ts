import { openChdbEngine, type Engine } from '@redoubt/records';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { convertStatement, insertFileStatement } from './file-statements.ts';
import { tableName, tableOf } from './table-of.ts';

const insertDatabase = 'bench_inserts';

const exact = { output_format_json_quote_64bit_integers: 0 };
const settleRounds = 240;

export interface InsertRun {
  milliseconds: number;
  rows: number;
}
export interface SearchRun {
  milliseconds: number;
  total: number;
  rows: number;
}
export interface ReadRun {
  milliseconds: number;
  bytes: number;
}

/**
 * The operations of the bare engine, which runs in its own process without a server. It opens the data folder by the
 * same binding and with as many connections as the server.
 */
export function createChdbOperations() {
  let opened: Engine | undefined;
  const prepared: Buffer[] = [];
  let columns: string[] = [];
  let createTable = '';

  const engine = (): Engine => {
    if (opened === undefined) throw new Error('No folder is open.');
    return opened;
  };
  const text = async (sql: string): Promise<string> => (await textOf(sql)).replace(/\n$/, '');

  const command = (sql: string): Promise<void> => engine().command(sql, { lane: 'short' });
  const textOf = (sql: string): Promise<string> => engine().text(sql, { lane: 'short' });

  return {
    async open(path: string): Promise<void> {
      opened = await openChdbEngine({ path });
    },
    async close(): Promise<void> {
      await opened?.close();
      opened = undefined;
    },
    /** Waits until the engine has merged everything. @returns the number of parts of a dataset */
    async settle(datasetId: string): Promise<number> {
      for (let round = 0, quiet = 0; round < settleRounds && quiet < 8; round++) {
        quiet = (await text('SELECT count() FROM system.merges')) === '0' ? quiet + 1 : 0;
        await sleep(250);
      }
      return Number(
        await text(`SELECT count() FROM system.parts WHERE active AND table = '${tableName(datasetId)}'`),
      );
    },
    /** The label ids of a dataset, by the label in the field `label` of its records. */
    async labelIds(datasetId: string): Promise<Map<string, number>> {
      const lines = await text(
        `SELECT label_id, any(doc.label.:String) FROM ${tableOf(datasetId)} GROUP BY label_id`,
      );
      return new Map(
        lines.split('\n').map((line) => {
          const [id, label = ''] = line.split('\t');
          return [label, Number(id)];
        }),
      );
    },
    /** Writes (record_id, label_id, raw), separated by tabs, to a file that every user can read. */
    async writeFile(datasetId: string, path: string): Promise<void> {
      const file = createWriteStream(path, { mode: 0o644 });
      const rows = engine().query(`SELECT record_id, label_id, raw FROM ${tableOf(datasetId)}`, {
        lane: 'long',
        format: 'TabSeparated',
      });
      for await (const chunk of rows) if (!file.write(Buffer.from(chunk))) await once(file, 'drain');
      file.end();
      await once(file, 'finish');
    },
    /**
     * Keeps the rows of a dataset in memory with all columns, as batches of JSONEachRow.
     * @returns the size of the batches in bytes
     */
    async prepareInserts(datasetId: string, batchSize: number): Promise<number> {
      prepared.length = 0;
      createTable = await text(`SHOW CREATE TABLE ${tableOf(datasetId)}`);
      const description = await text(`DESCRIBE TABLE ${tableOf(datasetId)}`);
      columns = description.split('\n').map((line) => line.split('\t')[0] ?? '');
      const rows = engine().query(
        `SELECT ${columns.join(', ')} FROM ${tableOf(datasetId)} ORDER BY record_id`,
        { lane: 'long', format: 'JSONEachRow', settings: exact },
      );
      const batches = createBatchCutter(batchSize, (batch) => prepared.push(batch));
      for await (const chunk of rows) batches.add(chunk);
      batches.end();
      return prepared.reduce((sum, { length }) => sum + length, 0);
    },
    /** Inserts the prepared batches into an empty table with the same definition, over several connections. */
    async insertPrepared(connections: number): Promise<InsertRun> {
      const table = `${insertDatabase}.records`;
      await command(`CREATE DATABASE IF NOT EXISTS ${insertDatabase}`);
      await command(createTable.replace(/^CREATE TABLE \S+/, `CREATE TABLE ${table}`));
      const waiting = prepared.values();
      const start = performance.now();
      await Promise.all(
        Array.from({ length: connections }, async () => {
          for (const data of waiting) await engine().insert({ table, columns, data, format: 'JSONEachRow' });
        }),
      );
      const milliseconds = performance.now() - start;
      const rows = Number(await text(`SELECT count() FROM ${table}`));
      await command(`DROP TABLE ${table} SYNC`);
      return { milliseconds, rows };
    },
    async convertFile(from: string, to: string): Promise<void> {
      await command(convertStatement(from, to));
    },
    /** Inserts the rows of a file into an empty table with the definition of a dataset's. @returns the milliseconds */
    async insertFile(datasetId: string, path: string, rows: number): Promise<number> {
      const table = `${insertDatabase}.files`;
      await command(`CREATE DATABASE IF NOT EXISTS ${insertDatabase}`);
      await command(`CREATE TABLE ${table} AS ${tableOf(datasetId)}`);
      const start = performance.now();
      await command(insertFileStatement(table, path));
      const milliseconds = performance.now() - start;
      const stored = Number(await text(`SELECT count() FROM ${table}`));
      if (stored !== rows) throw new Error(`The engine alone stored ${stored} of ${rows} rows.`);
      await command(`DROP TABLE ${table} SYNC`);
      return milliseconds;
    },
    async dropPrepared(): Promise<void> {
      prepared.length = 0;
      return Promise.resolve();
    },
    /** Runs both statements of a search, in parallel or one after the other. */
    async search(rowsSql: string, countSql: string, inParallel: boolean): Promise<SearchRun> {
      const start = performance.now();
      const [rows, total] = inParallel
        ? await Promise.all([textOf(rowsSql), textOf(countSql)])
        : [await textOf(rowsSql), await textOf(countSql)];
      const milliseconds = performance.now() - start;
      return { milliseconds, total: Number(total), rows: rows.split('\n').length - 1 };
    },
    /** Runs a query with a small result. @returns the rows */
    async run(sql: string): Promise<{ milliseconds: number; rows: unknown[][] }> {
      const start = performance.now();
      const lines = await engine().text(sql, {
        lane: 'short',
        format: 'JSONCompactEachRow',
        settings: exact,
      });
      const milliseconds = performance.now() - start;
      const rows = lines.split('\n').filter((line) => line !== '');
      return { milliseconds, rows: rows.map((line) => JSON.parse(line) as unknown[]) };
    },
    /** Streams a result and discards it. */
    async read(sql: string, format = 'TSVRaw'): Promise<ReadRun> {
      let bytes = 0;
      const start = performance.now();
      for await (const chunk of engine().query(sql, { lane: 'long', format })) {
        bytes += chunk.length;
      }
      return { milliseconds: performance.now() - start, bytes };
    },
  };
}

export type ChdbOperations = ReturnType<typeof createChdbOperations>;

/** Splits a stream of lines into batches of `batchSize` lines. */
function createBatchCutter(batchSize: number, keep: (batch: Buffer) => void) {
  let held: Uint8Array[] = [];
  let lines = 0;
  const cut = (): void => {
    if (held.length > 0) keep(Buffer.concat(held));
    held = [];
    lines = 0;
  };
  return {
    add(chunk: Uint8Array): void {
      let from = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) {
        if (++lines < batchSize) continue;
        held.push(chunk.slice(from, at + 1));
        from = at + 1;
        cut();
      }
      if (from < chunk.length) held.push(chunk.slice(from));
    },
    end: cut,
  };
}
