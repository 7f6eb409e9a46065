import { querySettings, recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { insertColumns } from '../intake/prepared-rows.ts';
import { firstArrivingLabel } from './arriving-records.ts';
import type { Counters } from './counters.ts';
import { qualifyTable, tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

export interface Backup {
  /**
   * Streams a snapshot of all records of a dataset, with any label, in the engine's format Native. Only the operator
   * may read the file.
   */
  dump(datasetId: string): AsyncIterable<Uint8Array>;
  /** Adds the records of a file from `dump` to a dataset. */
  load(datasetId: string, path: string): Promise<void>;
}

/**
 * Backs up by SELECT. The engine's BACKUP ignores lightweight updates: it would restore old versions of replaced
 * records, with their old labels.
 */
export const createBackup = ({
  engine,
  database,
  layout,
  counters,
}: {
  engine: Engine;
  database: string;
  layout: TableLayout;
  counters: Pick<Counters, 'forget'>;
}): Backup => ({
  dump: (datasetId) =>
    engine.query(
      `SELECT ${insertColumns.join(', ')} FROM ${qualifyTable(database, tableName(datasetId))} WHERE ${recordColumns.labelId} < ${String(firstArrivingLabel)}`,
      { lane: 'long', format: 'Native', settings: querySettings },
    ),
  load: async (datasetId, path) => {
    await engine.load({
      table: `${database}.${layout.stored(tableName(datasetId))}`,
      columns: insertColumns,
      path,
    });
    counters.forget(datasetId);
  },
});
