import { EngineOpenError } from './engine-errors.ts';
import type { Engine } from './engine.ts';

/** The system tables that Redoubt reads; without `processes` it cannot kill statements. */
const systemTables = ['data_skipping_indices', 'mutations', 'parts', 'processes', 'tables'];
const tableEngines = ['MergeTree', 'Join'];

/** The rights that the user needs, as in GRANT, on one server or on each server of a cluster. */
export const neededRights = (database: string, isCluster = false): readonly string[] => [
  `SELECT, INSERT, ALTER TABLE, CREATE DATABASE, CREATE TABLE, DROP TABLE ON ${database}.*`,
  ...systemTables.map((table) => `SELECT ON system.${table}`),
  ...tableEngines.map((engine) => `TABLE ENGINE ON ${engine}`),
  ...(isCluster ? clusterRights(database) : []),
];

const clusterRights = (database: string): readonly string[] => [
  'CLUSTER ON *.*',
  `SYSTEM SYNC REPLICA ON ${database}.*`,
  ...['clusters', 'macros'].map((table) => `SELECT ON system.${table}`),
  ...['Distributed', 'ReplicatedMergeTree'].map((engine) => `TABLE ENGINE ON ${engine}`),
];

/**
 * Checks that the user of this engine has all rights that Redoubt needs.
 * @throws EngineOpenError with one line that names the rights to grant
 */
export async function requireRights(
  engine: Engine,
  {
    database,
    cluster,
    username,
    host,
  }: { database: string; cluster: string | undefined; username: string; host: string },
): Promise<void> {
  const missing: string[] = [];
  for (const right of neededRights(database, cluster !== undefined)) {
    const isGranted = await engine.text(`CHECK GRANT ${right}`, { lane: 'short' });
    if (isGranted.trim() !== '1') missing.push(right);
  }
  if (missing.length === 0) return;
  const grants = missing.map((right) => `GRANT ${right} TO ${username};`).join(' ');
  throw new EngineOpenError(
    `CLICKHOUSE_USER: "${username}" lacks rights on the ClickHouse server at ${host}. Run there: ${grants}`,
    undefined,
    undefined,
  );
}
