import { quoteString } from '@redoubt/query';
import { EngineOpenError } from '../engine/engine-errors.ts';
import type { Engine } from '../engine/engine.ts';
import { addSourceColumns } from './add-source-columns.ts';
import type { TableLayout } from './table-layout.ts';

/**
 * Checks that the engine supports the tables of this layout and that existing tables have it. On a cluster, also waits
 * until this server has all stored data. Tables of earlier versions get the columns that they lack.
 * @throws EngineOpenError with one line that says what to do
 */
export async function ensureLayout(engine: Engine, database: string, layout: TableLayout): Promise<void> {
  const { cluster } = layout;
  if (cluster !== undefined) await requireCluster(engine, cluster);
  const tables = await tablesOf(engine, database);
  const isForeign = (kind: string): boolean =>
    cluster === undefined ? /^(Distributed|Replicated)/.test(kind) : kind === 'MergeTree';
  if (tables.some(({ kind }) => isForeign(kind))) {
    throw new EngineOpenError(
      `CLICKHOUSE_DATABASE: "${database}" was made ${cluster === undefined ? 'with' : 'without'} CLICKHOUSE_CLUSTER. Start with it as it was, or restore a backup into another database.`,
      undefined,
      undefined,
    );
  }
  for (const { name, kind } of tables) {
    if (!kind.startsWith('Replicated')) continue;
    await engine.command(layout.catchUp(name), { lane: 'short' });
  }
  await addSourceColumns(engine, database, cluster);
}

const refuse = (what: string): EngineOpenError =>
  new EngineOpenError(`CLICKHOUSE_CLUSTER: ${what}.`, undefined, undefined);

async function requireCluster(engine: Engine, cluster: string): Promise<void> {
  const [shards = 0, here = 0] = await numbersOf(
    engine,
    `SELECT uniqExact(shard_num), countIf(is_local) FROM system.clusters WHERE cluster = ${quoteString(cluster)}`,
  );
  if (shards === 0) throw refuse(`the server of CLICKHOUSE_URL knows no cluster "${cluster}"`);
  if (shards > 1) {
    throw refuse(
      `"${cluster}" has ${String(shards)} shards, and records are replaced as one whole within one shard alone: name a cluster of one shard`,
    );
  }
  if (here === 0) throw refuse(`the server of CLICKHOUSE_URL is none of "${cluster}": name one that is`);
  const [macros = 0] = await numbersOf(
    engine,
    `SELECT count() FROM system.macros WHERE macro IN ('shard', 'replica')`,
  );
  if (macros < 2) throw refuse('the server of CLICKHOUSE_URL lacks the macro "shard" or "replica"');
}

async function numbersOf(engine: Engine, sql: string): Promise<number[]> {
  return (await engine.text(sql, { lane: 'short' })).trim().split('\t').map(Number);
}

async function tablesOf(engine: Engine, database: string): Promise<{ name: string; kind: string }[]> {
  const text = await engine.text(
    `SELECT name, engine FROM system.tables WHERE database = ${quoteString(database)}`,
    { lane: 'short' },
  );
  return text.split('\n').flatMap((line) => {
    const [name, kind] = line.split('\t');
    return name === undefined || kind === undefined ? [] : [{ name, kind }];
  });
}
