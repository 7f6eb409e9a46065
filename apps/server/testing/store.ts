import {
  createRecordStore,
  openChdbEngine,
  openClickhouseEngine,
  type Engine,
  type RecordStore,
  type RecordStoreDeps,
} from '@redoubt/records';
import { createBlockLedger } from '../src/features/ingest/index.ts';
import { createDatasetCatalog } from '../src/features/records/index.ts';
import type { Db } from '../src/platform/db/database.ts';
import { createMeter, type Meter } from '../src/platform/metering/index.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestClickhouse } from '@redoubt/records/testing';
import type { TestClickhouse } from '@redoubt/testkit';
import type { TestRuntime } from './runtime.ts';

let folder: string | undefined;

/** One folder for each process, because the engine opens only one. Each server has its own database in it. */
const engineFolder = (): string => {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), 'redoubt-records-'));
  process.on('exit', () => {
    rmSync(made, { recursive: true, force: true });
  });
  folder = made;
  return made;
};

const engineMemoryBytes = 4_000_000_000;

/** Stays open until the process ends, because opening it takes a second. */
let kept: Promise<Engine> | undefined;
let clickhouse: Promise<TestClickhouse> | undefined;

const openEmbedded = (): Promise<Engine> =>
  openChdbEngine({ path: engineFolder(), memoryLimitBytes: engineMemoryBytes, threads: 2 });

/** The record engine of this run: embedded, or one ClickHouse server for each process. */
const openEngine = async (): Promise<Engine> => {
  if (process.env.REDOUBT_TEST_ENGINE === 'clickhouse') {
    clickhouse ??= startTestClickhouse();
    return openClickhouseEngine({ ...(await clickhouse), random: { bytes: randomBytes } });
  }
  kept ??= openEmbedded();
  await kept;
  return openEmbedded();
};

/** Creates a record store on the engine of this process. */
export const createTestStore = async ({
  db,
  runtime: { clock, random },
  meter = createMeter(),
  limits,
}: {
  db: Db;
  runtime: TestRuntime;
  /** The meter of its queries. */
  meter?: Meter;
  limits: RecordStoreDeps['limits'];
}): Promise<{ engine: Engine; store: RecordStore; close: () => Promise<void> }> => {
  const engine = await openEngine();
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const store = await createRecordStore({
    engine: meter.watchEngine(engine),
    database,
    catalog: createDatasetCatalog(db),
    settleBlocks: createBlockLedger(db).settle,
    clock,
    random,
    limits,
  });
  return {
    engine,
    store,
    close: async () => {
      await store.close();
      await engine.command(`drop database if exists ${database}`, { lane: 'write' });
      await engine.close();
    },
  };
};
