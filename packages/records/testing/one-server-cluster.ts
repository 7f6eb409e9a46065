import type { Engine } from '../src/engine/engine.ts';

/** The visible state of a cluster, and the statements that were sent to it. */
export interface ClusterOfTest {
  engine: Engine;
  /** The statements about tables, as sent. */
  sent: string[];
  /** The rows to use as `system.clusters`, as SQL; undefined reads the real table. */
  clusters: string | undefined;
  /** The same for `system.macros`. */
  macros: string | undefined;
  /** Called before a statement runs. */
  before: (sql: string) => void;
}

/**
 * An engine in the place of a cluster's only server. There is no Keeper, so a replicated table is a plain one and nothing is copied.
 * @param knowsCluster whether the engine is a server that has the cluster `x` in its configuration; for the embedded one its rows are
 * made up, and a Distributed table reads from the server's own address
 */
export function createClusterOfTest(engine: Engine, knowsCluster: boolean): ClusterOfTest {
  const test: ClusterOfTest = {
    engine,
    sent: [],
    clusters: knowsCluster ? undefined : "SELECT 'x' AS cluster, 1 AS shard_num, 1 AS is_local",
    macros: knowsCluster ? undefined : "SELECT arrayJoin(['shard', 'replica']) AS macro",
    before: () => undefined,
  };
  const adapt = (sql: string): string =>
    sql
      .replace('FROM system.clusters', rowsOf(test.clusters, 'system.clusters'))
      // Tables that would be replicated are known by a setting of theirs.
      .replace(
        'SELECT name, engine FROM system.tables',
        "SELECT name, if(create_table_query LIKE '%replicated_deduplication_window%', 'ReplicatedMergeTree', engine) FROM system.tables",
      )
      .replace('FROM system.macros', rowsOf(test.macros, 'system.macros'))
      .replace(/^SYSTEM SYNC REPLICA .*/, 'SELECT 1')
      .replace(' ON CLUSTER x', '');
  const asPlain = (sql: string): string => {
    const distributed = knowsCluster ? null : /ENGINE = Distributed\('x', '(\w+)', '(\w+)'\)/.exec(sql);
    if (distributed !== null) {
      const [, database = '', table = ''] = distributed;
      const named = /^\s*CREATE TABLE IF NOT EXISTS (\S+) ON CLUSTER x/.exec(sql)?.[1] ?? '';
      return `CREATE TABLE IF NOT EXISTS ${named} AS remote('127.0.0.1', ${database}, ${table})`;
    }
    return adapt(sql).replace(/ReplicatedMergeTree\([^)]*\)/, 'MergeTree');
  };
  test.engine = {
    ...engine,
    text: async (sql, options) => engine.text(asPlain(sql), options),
    async command(sql, options) {
      test.sent.push(sql.trim());
      test.before(sql);
      await engine.command(asPlain(sql), options);
    },
  };
  return test;
}

const rowsOf = (rows: string | undefined, table: string): string =>
  rows === undefined ? `FROM ${table}` : `FROM (${rows})`;
