import { quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { sourceColumns, sourceColumnTypes } from '../intake/record-source.ts';
import { qualifyTable } from './record-table.ts';

/**
 * Adds the source columns to the tables of datasets that were created without them. The columns of existing records
 * stay empty, which means that the record comes from no file. Only the definition of a table changes, so this takes the
 * same time for tables of any size.
 * @param cluster the cluster of the tables; undefined for one server
 */
export async function addSourceColumns(
  engine: Engine,
  database: string,
  cluster: string | undefined,
): Promise<void> {
  const names = await engine.text(
    `SELECT name FROM system.tables WHERE database = ${quoteString(database)} AND startsWith(name, 'ds_')
     AND position(create_table_query, '\`raw\` ') > 0 AND position(create_table_query, '\`${sourceColumns.offset}\` ') = 0 ORDER BY name`,
    { lane: 'short' },
  );
  const additions = sourceColumnTypes.map(([column, type]) => `ADD COLUMN IF NOT EXISTS ${column} ${type}`);
  for (const name of names.split('\n').filter((line) => line !== '')) {
    const onCluster = cluster === undefined ? '' : ` ON CLUSTER ${cluster}`;
    await engine.command(`ALTER TABLE ${qualifyTable(database, name)}${onCluster} ${additions.join(', ')}`, {
      lane: 'short',
    });
  }
}
