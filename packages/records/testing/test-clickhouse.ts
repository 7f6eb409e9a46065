import { startClickhouse, type TestClickhouse, type TestClickhouseOptions } from '@redoubt/testkit';
import { neededRights } from '../src/engine/clickhouse-rights.ts';

/** The rights that Redoubt needs on its default database and on those of tests, and the right to drop the latter. */
const usualGrants = (isCluster: boolean): readonly string[] => [
  ...['redoubt', 'test_*']
    .flatMap((databases) => neededRights(databases, isCluster))
    .map((right) => `GRANT ${right}`),
  'GRANT DROP DATABASE ON test_*.*',
];

/** Starts a ClickHouse server. Its user has only the rights that Redoubt needs, or those in `grants`. */
export const startTestClickhouse = (options: Partial<TestClickhouseOptions> = {}): Promise<TestClickhouse> =>
  startClickhouse({ grants: usualGrants(options.cluster !== undefined), ...options });
