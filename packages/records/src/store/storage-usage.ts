import { quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

export interface StorageUsage {
  /**
   * What the records of these datasets take on disk, in bytes and whatever their labels: for what a workspace is billed, and
   * for nothing that answers about records. On a cluster it is one copy's.
   */
  storedBytes(datasetIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export const createStorageUsage = (engine: Engine, database: string, layout: TableLayout): StorageUsage => ({
  async storedBytes(datasetIds) {
    const answer = await engine.text(
      `SELECT table, sum(bytes_on_disk) FROM system.parts WHERE active AND database = ${quoteString(database)} GROUP BY table`,
      { lane: 'short' },
    );
    const lines = answer.split('\n').filter((line) => line !== '');
    const byTable = new Map(
      lines.map((line) => line.split('\t')).map(([table, bytes]) => [table, Number(bytes)]),
    );
    return new Map(datasetIds.map((id) => [id, byTable.get(layout.stored(tableName(id))) ?? 0]));
  },
});
