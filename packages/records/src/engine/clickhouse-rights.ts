import { EngineOpenError } from './engine-errors.ts';
import type { Engine } from './engine.ts';

/** What Redoubt reads about its tables and statements; without `processes` no statement can be stopped. */
const systemTables = ['data_skipping_indices', 'mutations', 'parts', 'processes', 'tables'];
const tableEngines = ['MergeTree', 'Join'];

/** What a user needs, each as a GRANT names it, on one server or on each of a cluster. */
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
 * Checks that the user of this engine has all the rights that Redoubt comes to need on the server.
 * @throws EngineOpenError with one line that says which rights to grant
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
