import {
  createVisibleLabelSets,
  findHiddenColumns,
  limitToKnownLabels,
  hideColumns,
  type ColumnLabels,
  type VisibleLabels,
} from '@redoubt/labels';
import { pathOfCode, type SqlField } from '@redoubt/query';
import { createAuditStore, type AuditStore } from '../audit/audit-store.ts';
import type { Engine } from '../engine/engine.ts';
import { waitForMemory } from '../engine/wait-for-memory.ts';
import { createIntake } from '../intake/worker-intake.ts';
import type { ParsedWrite } from '../intake/intake.ts';
import type { WriteBodyFormat } from '../intake/parse-write-body.ts';
import { createBackup, type Backup } from './backup.ts';
import { createBlockSizes } from './block-sizes.ts';
import { createCatalogCache } from './catalog-cache.ts';
import { clearedTable, createRecordUpdates, type RecordUpdates } from './record-updates.ts';
import { createRecordSelections } from './record-selections.ts';
import { createCounters } from './counters.ts';
import type { DatasetCatalog } from './dataset-catalog.ts';
import { createDatasetReplacements, type DatasetReplacements } from './dataset-replacements.ts';
import {
  createFieldIndexManager,
  createPendingIndexChecks,
  type FieldIndexManager,
} from './field-indexes.ts';
import { createGroupCommit } from './group-commit.ts';
import { createKeyLookups } from './key-lookups.ts';
import { createRecordSources, type RecordSources } from './record-sources.ts';
import { insertColumns } from '../intake/prepared-rows.ts';
import { readPartStates } from './part-states.ts';
import { createRecordReads, type RecordReads } from './record-reads.ts';
import { createRecordViews, type RecordViews } from './record-views.ts';
import { createFileReads, type FileReads } from './file-reads.ts';
import { qualifyTable, requireDatabaseName, tableName } from './record-table.ts';
import { createRecordReplacements, type RunExclusively } from './record-replacements.ts';
import {
  withoutHiddenCodes,
  kindsByPath,
  inferSchema,
  type DatasetFieldTypes,
  type SchemaOptions,
} from './schema.ts';
import { createSeenPaths, type SeenPaths } from './seen-paths.ts';
import { createSplitReads, type SplitReads } from './splits.ts';
import { defaultStoreLimits, type StoreLimits } from './store-limits.ts';
import { createStoredProbes, type StoredProbes } from './stored-probes.ts';
import { createStorageUsage, type StorageUsage } from './storage-usage.ts';
import { createSummaryReads, type SummaryReads } from './summaries.ts';
import { createSummaryCopies } from './summary-copies.ts';
import { createTableLayout } from './table-layout.ts';
import { ensureLayout } from './ensure-layout.ts';
import { createWordsByPathIndexes, type WordIndexManager } from './words-by-path.ts';
import { createRecordWrites, type RecordWrites } from './record-writes.ts';

/**
 * What `createRecordStore` needs: the engine, the catalog of datasets, and the clock and randomness that
 * tests replace.
 */
export interface RecordStoreDeps {
  engine: Engine;
  /** The database of this store: letters, digits and `_`. It is created if missing. */
  database: string;
  /** The cluster (with one shard) for the tables, if the engine is a server of one. */
  cluster?: string | undefined;
  catalog: DatasetCatalog;
  clock: { now(): Date };
  /** Unpredictable bytes. */
  random: { bytes(size: number): Buffer };
  /**
   * A lock among processes: runs work while no other process runs work with the same name. Set if several share the
   * engine.
   */
  shared?: RunExclusively | undefined;
  /**
   * Called before records of a dataset are deleted, replaced, relabelled or cleared, while nothing is stored in it. It
   * finds out which blocks of ingests are stored, because a process may crash after it stores a block and before it
   * records that.
   */
  settleBlocks?: ((datasetId: string, probes: StoredProbes) => Promise<void>) | undefined;
  limits?: { [Limit in keyof StoreLimits]?: StoreLimits[Limit] | undefined } | undefined;
}

/** The records of all datasets of one database. */
export interface RecordStore
  extends
    FieldIndexManager,
    RecordReads,
    RecordViews,
    RecordSources,
    SeenPaths,
    SplitReads,
    SummaryReads,
    FileReads,
    WordIndexManager,
    RecordWrites,
    RecordUpdates,
    DatasetReplacements,
    Backup,
    StorageUsage {
  /** The events of the audit log, which are stored in the same database. */
  audit: AuditStore;
  createDataset(datasetId: string): Promise<void>;
  /** Drops the records of a dataset, if any. */
  dropDataset(datasetId: string): Promise<void>;
  /**
   * Which labels of a dataset these attributes satisfy, and which columns are hidden from them.
   * @param security the number of labels and the column labels, both from one snapshot of the metadata. Later labels
   *   are not visible to this request, because they may come with other column labels.
   */
  visibleLabels(
    datasetId: string,
    attributes: ReadonlySet<string>,
    security: { labelCount: number; columns: ColumnLabels },
  ): Promise<VisibleLabels>;
  /** How many records are visible to the reader. */
  countVisible(datasetId: string, visible: VisibleLabels): Promise<number>;
  /** The fields of the visible records. */
  schema(datasetId: string, visible: VisibleLabels, options: SchemaOptions): Promise<DatasetFieldTypes>;
  /**
   * The canonical labels for which each of these fields occurs in some record, also inside objects.
   * @param labelCount the number of labels in the row of the dataset
   */
  labelsWith(datasetId: string, fields: readonly string[], labelCount: number): Promise<string[]>;
  /** The fields that the reader can name in a statement: those of the visible records, also inside objects. */
  fields(datasetId: string, visible: VisibleLabels): Promise<SqlField[]>;
  /** Settles the blocks of a dataset (see `settleBlocks`) while nothing else changes it. */
  settleBlocks(datasetId: string): Promise<void>;
  /** Finds visible records by the values of fields, two of each key at most. */
  findByKeys: ReturnType<typeof createKeyLookups>;
  /** Finds the records of a body; large bodies are parsed on another thread. */
  parse(bytes: Uint8Array, shape: WriteBodyFormat): Promise<ParsedWrite>;
  /** Waits for bodies that are being parsed and for background work. The engine stays open. */
  close(): Promise<void>;
}

/** How many inserts run concurrently; the engine has as many connections for them. */
const writeLanes = 2;
/** About a thousand records. */
const bytesForFurtherLane = 1_000_000;

/**
 * Opens the store: creates missing tables, and completes or undoes the interrupted writes of crashed processes.
 * @throws EngineOpenError if the engine or its existing tables do not fit; Error for an invalid database name
 *
 * @example
 * const store = await createRecordStore({ engine, database: 'redoubt', catalog, clock, random });
 * const visible = await store.visibleLabels(datasetId, new Set(['A', 'B']), security);
 * const total = await store.countVisible(datasetId, visible);
 */
export async function createRecordStore(deps: RecordStoreDeps): Promise<RecordStore> {
  const { database, clock, random } = deps;
  requireDatabaseName(database);
  const limits = { ...defaultStoreLimits, ...withoutUndefined(deps.limits ?? {}) };
  const engine = waitForMemory(deps.engine, limits.engineMemoryBytes);
  const run = async (sql: string): Promise<void> => engine.command(sql, { lane: 'short' });
  const layout = createTableLayout(database, deps.cluster);
  const storedIn = (datasetId: string): string => layout.stored(tableName(datasetId));
  const tableOf = (datasetId: string): string => qualifyTable(database, tableName(datasetId));
  const due = createPendingIndexChecks();
  const cache = createCatalogCache(deps.catalog, due.mark);
  const sets = createVisibleLabelSets();
  const intake = createIntake();
  const commit = createGroupCommit({
    lanes: writeLanes,
    bytesForFurtherLane,
    maxBytes: limits.gatheredBytes,
    insert: async (datasetId, data) =>
      engine.insert({ table: `${database}.${storedIn(datasetId)}`, columns: insertColumns, data }),
  });
  const stateOf = async (datasetId: string): Promise<string> => {
    const table = storedIn(datasetId);
    return (await readPartStates(engine, database, [table])).get(table)?.name ?? '';
  };
  const counters = createCounters({
    engine,
    alone: commit.alone,
    tableOf,
    stateOf: deps.shared === undefined ? undefined : stateOf,
  });
  const settle = async (datasetId: string): Promise<void> =>
    deps.settleBlocks?.(datasetId, createStoredProbes(engine, tableOf(datasetId)));
  const replacing = createRecordReplacements(engine, database, layout, {
    shared: deps.shared,
    settle,
    completingBytes: limits.queryMemoryBytes,
  });
  const copies = createSummaryCopies({ engine, database, limits });
  const choosing = createRecordSelections({ engine, database, layout, cache });
  const blocks = createBlockSizes({ engine, database, layout });
  const wordsByPath = createWordsByPathIndexes({ engine, database, layout });

  const visibleCodes = async (datasetId: string, visible: VisibleLabels): Promise<ReadonlySet<number>> => {
    const codes = await counters.visibleCodes(datasetId, visible);
    return visible.hidden.length === 0
      ? codes
      : withoutHiddenCodes(visible.hidden, codes, await cache.paths(datasetId));
  };
  const visibleKinds = async (
    datasetId: string,
    visible: VisibleLabels,
  ): Promise<ReadonlyMap<string, number>> =>
    kindsByPath(await visibleCodes(datasetId, visible), await cache.paths(datasetId));

  await ensureLayout(engine, database, layout);
  await run(layout.createDatabase);
  for (const sql of layout.createAudit()) await run(sql);
  await replacing.recover();
  await copies.removeOutdated();

  return {
    ...createBackup({ engine, database, layout, counters }),
    ...createStorageUsage(engine, database, layout),
    ...createRecordReads({
      engine,
      database,
      cache,
      limits,
      wordsByPath,
      blocks,
    }),
    ...createRecordViews({ engine, database, cache, limits, wordsByPath, blocks, stateOf }),
    ...createRecordSources({ engine, database, limits }),
    ...createFileReads({ engine, database, cache, limits, kinds: visibleKinds }),
    ...createFieldIndexManager({ engine, database, layout, cache, due, wordsByPath }),
    ...createSummaryReads({ engine, database, cache, copies, limits }),
    ...createSeenPaths({ cache, counters }),
    ...createSplitReads({ engine, database, countVisible: counters.countVisible, limits }),
    ...createRecordWrites({
      cache,
      commit,
      counters,
      visibleCodes,
      replacing,
      copies,
      clock,
      random,
      limits,
    }),
    ...createRecordUpdates({
      engine,
      database,
      layout,
      cache,
      commit,
      counters,
      replacing,
      choosing,
      copies,
      limits,
    }),
    ...createDatasetReplacements({ engine, database, layout, cache, commit, counters, replacing, copies }),
    audit: createAuditStore({ engine, database, layout, limits }),
    indexWordsByPath: wordsByPath.indexWordsByPath,
    async createDataset(datasetId) {
      for (const sql of layout.createRecords(tableName(datasetId))) await run(sql);
      counters.begin(datasetId);
    },
    async dropDataset(datasetId) {
      await commit.alone(datasetId, async () => {
        await replacing.forget(datasetId);
        await choosing.forgetDataset(datasetId);
        await run(layout.dropStaging(clearedTable(storedIn(datasetId))));
        for (const sql of layout.dropRecords(tableName(datasetId))) await run(sql);
        counters.forget(datasetId);
        cache.forget(datasetId);
        due.mark(datasetId);
        wordsByPath.forget(datasetId);
        sets.forget(datasetId);
      });
      await copies.removeOutdated(datasetId);
    },
    visibleLabels: async (datasetId, attributes, { labelCount, columns }) => {
      const visible = sets.visible(datasetId, await cache.labels(datasetId, labelCount), attributes);
      return hideColumns(limitToKnownLabels(visible, labelCount), findHiddenColumns(columns, attributes));
    },
    countVisible: counters.countVisible,
    schema: async (datasetId, visible, options) =>
      inferSchema(await visibleCodes(datasetId, visible), await cache.paths(datasetId), options),
    labelsWith: async (datasetId, fields, labelCount) => {
      const wanted = new Set(fields);
      const paths = await cache.paths(datasetId);
      const ids = await counters.labelsWith(datasetId, (codes) => {
        const found = new Set<string>();
        for (const code of codes) {
          const path = paths[pathOfCode(code)]?.path;
          if (path !== undefined && wanted.has(path)) found.add(path);
        }
        return found.size === wanted.size;
      });
      const labels = await cache.labels(datasetId, labelCount);
      return [...new Set(ids.flatMap((id) => labels[id]?.expression ?? []))];
    },
    fields: async (datasetId, visible) => {
      const codes = await visibleCodes(datasetId, visible);
      const paths = await cache.paths(datasetId);
      const entries = await cache.pathEntries(datasetId);
      const kinds = await visibleKinds(datasetId, visible);
      const top = inferSchema(codes, paths, {});
      return Object.entries(inferSchema(codes, paths, { nested: true })).flatMap(([path, { type }]) => {
        const entry = entries.get(path);
        if (entry === undefined) return [];
        const seen = { pathId: entry.pathId, kinds: kinds.get(path) ?? 0 };
        return [{ path, type, entry: seen, topLevel: Object.hasOwn(top, path) }];
      });
    },
    settleBlocks: async (datasetId) =>
      commit.alone(datasetId, async () => {
        if (replacing.isUnfinished(datasetId)) counters.forget(datasetId);
        await replacing.between(datasetId, async () => undefined);
      }),
    findByKeys: createKeyLookups({ engine, database, cache, limits }),
    parse: intake.parse,
    async close() {
      await copies.close();
      await intake.close();
    },
  };
}

const withoutUndefined = (limits: NonNullable<RecordStoreDeps['limits']>): Partial<StoreLimits> =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
