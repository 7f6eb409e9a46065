import { querySettings, recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { insertColumns } from '../intake/prepared-rows.ts';
import { firstArrivingLabel } from './arriving-records.ts';
import type { Counters } from './counters.ts';
import { qualifyTable, tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

export interface Backup {
  /**
   * All records of a dataset as they are at one moment, in the engine's format Native, whatever their labels: for a file
   * that nobody but the operator reads.
   */
  dump(datasetId: string): AsyncIterable<Uint8Array>;
  /** Adds the records of such a file to a dataset. */
  load(datasetId: string, path: string): Promise<void>;
}

/**
 * A plain SELECT, and not the engine's BACKUP, which leaves out what lightweight updates have changed: replaced records
 * came back as they were before, with the labels that they had then.
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
