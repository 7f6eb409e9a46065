import {
  createRecordStore,
  openChdbEngine,
  openClickhouseEngine,
  type EmbeddedEngine,
  type Engine,
  type RecordStore,
} from '@redoubt/records';
import { join } from 'node:path';
import { createBlockLedger } from './features/ingest/index.ts';
import { createDatasetCatalog } from './features/records/index.ts';
import { ConfigError, queryMemoryOf, type Config } from './platform/config/index.ts';
import { createNamedLocks, type NamedLocks } from './platform/db/named-locks.ts';
import { openDatabase, type Db } from './platform/db/database.ts';
import { openFiles, type ObjectStore } from './platform/files/index.ts';
import type { Logger } from './platform/log/logger.ts';
import { collectGarbage, releaseWhenIdle } from './platform/memory/index.ts';
import type { Meter } from './platform/metering/index.ts';
import type { Runtime } from './platform/runtime.ts';
import type { Part } from './platform/stop/index.ts';
import type { Metrics, Traces } from './platform/telemetry/index.ts';
import { rootMessage } from './start-errors.ts';

/** What opening the engines needs besides the settings. */
export interface EngineBase {
  folder: string;
  runtime: Runtime;
  logger: Logger;
  metrics: Metrics;
  meter: Meter;
  traces: Traces | undefined;
  /** Aborting it cancels all statements of the record engine. */
  stopped: AbortController;
}

/** The engines of a server. */
export interface OpenEngines {
  db: Db;
  store: RecordStore;
  files: ObjectStore;
}

const openMetadata = async (config: Config, folder: string): Promise<Db> => {
  if (config.DATABASE_URL === undefined) return openDatabase({ dataDir: join(folder, 'metadata') });
  try {
    return await openDatabase({ url: config.DATABASE_URL });
  } catch (error) {
    const { host } = new URL(config.DATABASE_URL);
    throw new ConfigError(
      `DATABASE_URL: cannot use the PostgreSQL server at ${host}: ${rootMessage(error)}. Check that it runs and that the URL has its host, port, user, password and database.`,
    );
  }
};

const openRecords = async (
  config: Config,
  { folder, runtime, logger, metrics, meter, stopped }: EngineBase,
): Promise<Engine | EmbeddedEngine> => {
  const waited: Metrics['waited'] = (lane, ms) => {
    metrics.waited(lane, ms);
    meter.waited(ms);
  };
  if (config.CLICKHOUSE_URL === undefined) {
    const engine = await openChdbEngine({
      path: join(folder, 'records'),
      memoryLimitBytes: config.MEMORY_LIMIT,
      waited,
      stopped: stopped.signal,
    });
    metrics.watchMemory({ limit: config.MEMORY_LIMIT, used: engine.trackedMemory });
    return engine;
  }
  return openClickhouseEngine({
    url: config.CLICKHOUSE_URL,
    username: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
    cluster: config.CLICKHOUSE_CLUSTER,
    database: config.CLICKHOUSE_DATABASE,
    random: runtime.random,
    waited,
    report: (news) => logger.warn(news),
    stopped: stopped.signal,
  });
};

/** Other processes can use the same engines only when both are servers. */
export const isShared = ({ CLICKHOUSE_URL, DATABASE_URL }: Config): boolean =>
  CLICKHOUSE_URL !== undefined && DATABASE_URL !== undefined;

const sharedLocks = (config: Config): NamedLocks | undefined =>
  config.DATABASE_URL === undefined || !isShared(config) ? undefined : createNamedLocks(config.DATABASE_URL);

/**
 * Opens the engines that the settings name, and adds to `opened` what closes them again.
 * @throws ConfigError for a metadata or record engine, or a file store, that cannot be reached
 */
export const openEngines = async (config: Config, base: EngineBase, opened: Part[]): Promise<OpenEngines> => {
  const { runtime, metrics, meter, traces, stopped } = base;
  const add = (name: string, close: Part['close']): void =>
    void opened.push({ name, stage: 'engines', close });
  const opening = openMetadata(config, base.folder);
  // Fail on an unreachable PostgreSQL server before starting the record engine.
  if (config.DATABASE_URL !== undefined) await opening;
  // In parallel, since each embedded engine takes about a second to start.
  const [metadata, records, objects] = await Promise.allSettled([
    opening,
    openRecords(config, base),
    openFiles(config, base.folder),
  ]);
  if (metadata.status === 'fulfilled') add('metadata', () => metadata.value.destroy());
  if (records.status === 'fulfilled') {
    add('records', () => {
      // All requests have ended, so cancelling the remaining statements loses nothing that anybody waits for.
      stopped.abort();
      return records.value.close();
    });
  }
  if (objects.status === 'fulfilled') add('files', () => objects.value.close());
  if (metadata.status === 'rejected') throw metadata.reason;
  if (records.status === 'rejected') throw records.reason;
  if (objects.status === 'rejected') throw objects.reason;
  const db = metadata.value;
  const measured = meter.watchEngine(metrics.watchEngine(records.value));
  const engine = traces?.watchEngine(measured) ?? measured;
  const locks = sharedLocks(config);
  if (locks !== undefined) add('locks', () => locks.close());
  const store = await createRecordStore({
    engine,
    shared: locks?.alone,
    database: config.CLICKHOUSE_DATABASE,
    cluster: config.CLICKHOUSE_CLUSTER,
    catalog: createDatasetCatalog(db),
    settleBlocks: createBlockLedger(db).settle,
    clock: runtime.clock,
    random: runtime.random,
    limits: {
      maxPaths: config.MAX_PATHS,
      querySeconds: config.QUERY_TIMEOUT_SECONDS,
      queryMemoryBytes: queryMemoryOf(config),
      engineMemoryBytes: config.CLICKHOUSE_URL === undefined ? config.MEMORY_LIMIT : undefined,
    },
  });
  opened.push(
    { name: 'record store', stage: 'notes', close: () => store.close() },
    {
      name: 'release of memory',
      stage: 'notes',
      close: releaseWhenIdle(async () => {
        collectGarbage();
        if ('releaseFreeMemory' in records.value) await records.value.releaseFreeMemory();
      }),
    },
  );
  return { db, store, files: objects.value };
};
