import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ColumnLabels, SecurityLabelInfo, VisibleLabels } from '@redoubt/labels';
import { parseLucene } from '@redoubt/query';
import { openChdbEngine } from '../src/engine/chdb-engine.ts';
import type { Engine } from '../src/engine/engine.ts';
import type { WriteBodyFormat } from '../src/intake/parse-write-body.ts';
import type { DatasetCatalog } from '../src/store/dataset-catalog.ts';
import { createRecordStore, type RecordStore, type RecordStoreDeps } from '../src/store/record-store.ts';
import { createMemoryCatalog } from './memory-catalog.ts';
import { createClusterOfTest, type ClusterOfTest } from './one-server-cluster.ts';

/** A record store for tests, with short functions to write and read. */
export interface TestStore {
  engine: Engine;
  store: RecordStore;
  catalog: DatasetCatalog;
  database: string;
  /** A new dataset. */
  dataset(): Promise<string>;
  visible(datasetId: string, ...attributes: string[]): Promise<VisibleLabels>;
  /** Sets the labels of the dataset's columns. */
  labelColumns(datasetId: string, labels: Readonly<Record<string, string>>): void;
  write(
    datasetId: string,
    records: string | readonly unknown[],
    options?: {
      labelInfo?: SecurityLabelInfo;
      as?: readonly string[];
      mayRelabel?: boolean;
      shape?: WriteBodyFormat;
    },
  ): Promise<void>;
  /** The texts of all visible records, with internal fields, in the order of their ids. */
  records(datasetId: string, ...attributes: string[]): Promise<Record<string, unknown>[]>;
  /** The texts of all visible records as they are returned, sorted. */
  texts(datasetId: string, ...attributes: string[]): Promise<string[]>;
  search(
    datasetId: string,
    expression: string,
    ...attributes: string[]
  ): Promise<{ texts: string[]; total: number }>;
  /** Another store on the same engine and database, as after a restart, or on another engine with the same data. */
  reopen(through?: Engine): Promise<TestStore>;
  close(): Promise<void>;
}

let folder: string | undefined;

/** One folder for each process, because chdb opens only one. Each store has its own database in it. */
export function engineFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'redoubt-records-'));
    folder = made;
    process.on('exit', () => {
      rmSync(made, { recursive: true, force: true });
    });
  }
  return folder;
}

const openEngine = async (): Promise<Engine> =>
  openChdbEngine({ path: engineFolder(), memoryLimitBytes: 4_000_000_000, threads: 2 });
const newDatabase = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** @param server the engine of a server; by default the embedded one */
export async function openTestStore(
  limits: RecordStoreDeps['limits'] = {},
  server?: Engine,
): Promise<TestStore> {
  return testStore(server ?? (await openEngine()), createMemoryCatalog(), newDatabase(), { limits });
}

/**
 * A store on the tables of a cluster called `x`, as far as one server can stand for it.
 * @param server the engine of a server that knows the cluster; the embedded one where absent
 */
export async function openClusterTestStore(server?: Engine): Promise<TestStore & { cluster: ClusterOfTest }> {
  const cluster = createClusterOfTest(server ?? (await openEngine()), server !== undefined);
  const options = { cluster: 'x' };
  return { ...(await testStore(cluster.engine, createMemoryCatalog(), newDatabase(), options)), cluster };
}

async function testStore(
  engine: Engine,
  catalog: DatasetCatalog,
  database: string,
  options: Pick<RecordStoreDeps, 'limits' | 'cluster'>,
): Promise<TestStore> {
  const store = await createRecordStore({
    engine,
    database,
    catalog,
    clock: { now: () => new Date() },
    random: { bytes: randomBytes },
    ...options,
  });
  const columns = new Map<string, ColumnLabels>();
  const visible = async (datasetId: string, ...attributes: string[]): Promise<VisibleLabels> =>
    store.visibleLabels(datasetId, new Set(attributes), {
      labelCount: (await catalog.labels(datasetId, 0)).length,
      columns: columns.get(datasetId) ?? new Map(),
    });
  const read = async (datasetId: string, attributes: string[], internalFields: boolean): Promise<string> => {
    const { rows } = store.sequence({
      datasetId,
      visible: await visible(datasetId, ...attributes),
      limit: -1,
      internalFields: internalFields ? 'all' : undefined,
    });
    return textOf(rows);
  };
  return {
    engine,
    store,
    catalog,
    database,
    visible,
    labelColumns(datasetId, labels) {
      columns.set(datasetId, new Map(Object.entries(labels).map(([path, label]) => [path, [label]])));
    },
    async dataset() {
      const id = randomUUID();
      await store.createDataset(id);
      return id;
    },
    async write(datasetId, records, { labelInfo, as = [], mayRelabel = false, shape = 'array' } = {}) {
      const body = typeof records === 'string' ? records : JSON.stringify(records);
      const parsed = await store.parse(Buffer.from(body), shape);
      const reader = await visible(datasetId, ...as);
      const write = await store.prepareWrite({ datasetId, parsed, labelInfo, visible: reader });
      await write.commit({ mayRelabel, columnVersion: 0 });
      parsed.release();
    },
    records: async (datasetId, ...attributes) =>
      JSON.parse(`[${await read(datasetId, attributes, true)}]`) as Record<string, unknown>[],
    async texts(datasetId, ...attributes) {
      const text = await read(datasetId, attributes, false);
      return splitRecords(text).toSorted();
    },
    async search(datasetId, expression, ...attributes) {
      const { rows, total } = await store.search({
        datasetId,
        visible: await visible(datasetId, ...attributes),
        tree: parseLucene(expression),
        limit: -1,
        offset: 0,
      });
      // Start the count before the rows are read, so that a statement counts them.
      const counted = await total();
      return { texts: splitRecords(await textOf(rows)).toSorted(), total: counted };
    },
    reopen: async (through = engine) => testStore(through, catalog, database, options),
    async close() {
      await store.close();
      await engine.command(`DROP DATABASE IF EXISTS ${database} SYNC`, { lane: 'short' });
      await engine.close();
    },
  };
}

/** Reads a whole stream as text. */
export async function textOf(rows: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of rows) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** The texts of the objects in a comma-separated list. */
function splitRecords(list: string): string[] {
  const texts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list[at];
    if (character === '"') {
      at++;
      while (list[at] !== '"') at += list[at] === '\\' ? 2 : 1;
    } else if (character === '{') {
      if (depth++ === 0) from = at;
    } else if (character === '}' && --depth === 0) {
      texts.push(list.slice(from, at + 1));
    }
  }
  return texts;
}
