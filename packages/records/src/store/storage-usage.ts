import { quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

export interface StorageUsage {
  /**
   * The bytes that these datasets use on disk, including records with any label. Use it only for billing, because
   * responses about records must not disclose hidden ones. On a cluster it counts one copy.
   */
  storedBytes(datasetIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export const createStorageUsage = (engine: Engine, database: string, layout: TableLayout): StorageUsage => ({
  async storedBytes(datasetIds) {
    const result = await engine.text(
      `SELECT table, sum(bytes_on_disk) FROM system.parts WHERE active AND database = ${quoteString(database)} GROUP BY table`,
      { lane: 'short' },
    );
    const lines = result.split('\n').filter((line) => line !== '');
    const byTable = new Map(
      lines.map((line) => line.split('\t')).map(([table, bytes]) => [table, Number(bytes)]),
    );
    return new Map(datasetIds.map((id) => [id, byTable.get(layout.stored(tableName(id))) ?? 0]));
  },
});
