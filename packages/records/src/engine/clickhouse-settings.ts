import type { Statement } from './clickhouse-connection.ts';
import type { StatementOptions } from './engine.ts';
import { singleBlockSettings } from './single-block-settings.ts';

/** Settings of inserts that keep a server from buffering, splitting or deduplicating them. */
export const insertSettings = {
  ...singleBlockSettings,
  async_insert: 0,
  max_insert_threads: 1,
  input_format_parallel_parsing: 0,
};

/** Settings of every statement on a server of a cluster. */
export const clusterSettings = {
  // A write is stored when more than half of the servers have it on disk, also through a Distributed table.
  insert_quorum: 'auto',
  insert_quorum_timeout: 60_000,
  distributed_foreground_insert: 1,
  insert_deduplicate: 0,
  // Reads use the server that got the write. Another server may lag behind and still show records that a new label
  // hides.
  prefer_localhost_replica: 1,
  max_replica_delay_for_distributed_queries: 0,
  // An update is computed on one server, and the result is copied.
  allow_nondeterministic_mutations: 1,
  distributed_ddl_output_mode: 'throw',
  distributed_ddl_task_timeout: 60,
};

export const settingsOf = ({
  settings,
  timeLimitMs,
  memoryLimitBytes,
}: StatementOptions): Statement['settings'] => ({
  ...settings,
  ...(timeLimitMs === undefined ? {} : { max_execution_time: timeLimitMs / 1000 }),
  ...(memoryLimitBytes === undefined ? {} : { max_memory_usage: memoryLimitBytes }),
});
