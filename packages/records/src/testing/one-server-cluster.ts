import type { Engine } from '../engine/engine.ts';

/** What there is to see of a cluster, and what was asked of it. */
export interface ClusterOfTest {
  engine: Engine;
  /** The statements about tables, as they were sent. */
  sent: string[];
  /** Rows of `system.clusters`, as SQL; `x` is a cluster of one shard with this server unless changed. */
  clusters: string;
  macros: string;
  /** Called before a statement is carried out. */
  before: (sql: string) => void;
}

/**
 * The embedded engine in the place of a cluster's only server, for what it lacks: there is no Keeper, so a replicated table is a plain
 * one and nothing is copied; a Distributed table reads from the server's own address.
 */
export function createClusterOfTest(engine: Engine): ClusterOfTest {
  const test: ClusterOfTest = {
    engine,
    sent: [],
    clusters: "SELECT 'x' AS cluster, 1 AS shard_num, 1 AS is_local",
    macros: "SELECT arrayJoin(['shard', 'replica']) AS macro",
    before: () => undefined,
  };
  const adapt = (sql: string): string =>
    sql
      .replace('FROM system.clusters', `FROM (${test.clusters})`)
      // Tables that would be replicated are known by a setting of theirs.
      .replace(
        'SELECT name, engine FROM system.tables',
        "SELECT name, if(create_table_query LIKE '%replicated_deduplication_window%', 'ReplicatedMergeTree', engine) FROM system.tables",
      )
      .replace('FROM system.macros', `FROM (${test.macros})`)
      .replace(/^SYSTEM SYNC REPLICA .*/, 'SELECT 1')
      .replace(' ON CLUSTER x', '');
  const asPlain = (sql: string): string => {
    const distributed = /ENGINE = Distributed\('x', '(\w+)', '(\w+)'\)/.exec(sql);
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
