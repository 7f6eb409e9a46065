import { createHash } from 'node:crypto';
import type { ColumnLabels, VisibleLabels } from '@redoubt/labels';
import { openChdbEngine } from '../../engine/chdb-engine.ts';
import type { Engine } from '../../engine/engine.ts';
import type { DatasetCatalog } from '../../store/dataset-catalog.ts';
import { createRecordStore, type RecordStore } from '../../store/record-store.ts';
import { createMemoryCatalog } from '../memory-catalog.ts';
import { engineFolder, textOf } from '../test-store.ts';
import { withHiddenColumns } from './hidden-columns.ts';
import { attributes, type Held } from './random-labels.ts';
import type { Plan, Step } from './plan.ts';

/** A record store whose clock and randomness start anew, and alike, with every step. */
export interface World {
  readonly store: RecordStore;
  /** Gives the columns of a dataset labels, from now on. */
  labelColumns(datasetId: string, labels: ColumnLabels): void;
  visible(datasetId: string, held: Held): Promise<VisibleLabels>;
  /** The ids of all records that these attributes show, in their order. */
  ids(datasetId: string, held: Held): Promise<string[]>;
  begin(step: string, time: number): void;
}

/** The datasets of a plan in both worlds, and what lies in them. */
export interface Built {
  readonly held: Held;
  /** Ids by the name of the table. */
  readonly datasets: ReadonlyMap<string, string>;
  /** By table: what the reader sees, and what there is besides in the second world. */
  readonly visibleIds: ReadonlyMap<string, readonly string[]>;
  readonly hiddenIds: ReadonlyMap<string, readonly string[]>;
}

export interface TwoStores {
  /** The first holds what the reader sees; the second holds what is hidden, too. */
  readonly worlds: readonly [World, World];
  build(plan: Plan): Promise<Built>;
  drop(built: Built): Promise<void>;
  close(): Promise<void>;
}

const epoch = Date.UTC(2026, 0, 1);
const engineBytes = 1_500_000_000;
const everything: Held = [...attributes, 'NOBODY'];

async function openWorld(engine: Engine, database: string): Promise<World> {
  let name = '';
  let counter = 0;
  let now = epoch;
  const bytes = (size: number): Buffer => {
    const blocks: Buffer[] = [];
    for (let have = 0; have < size; have += 32)
      blocks.push(
        createHash('sha256')
          .update(`${name}/${String(counter++)}`)
          .digest(),
      );
    return Buffer.concat(blocks).subarray(0, size);
  };
  const catalog: DatasetCatalog = createMemoryCatalog();
  const store = await createRecordStore({
    engine,
    database,
    catalog,
    clock: { now: () => new Date(now) },
    random: { bytes },
    limits: { splitRecords: 10 },
  });
  const columns = new Map<string, ColumnLabels>();
  const visible = async (datasetId: string, held: Held): Promise<VisibleLabels> =>
    store.visibleLabels(datasetId, new Set(held), {
      labelCount: (await catalog.labels(datasetId, 0)).length,
      columns: columns.get(datasetId) ?? new Map(),
    });
  return {
    store,
    labelColumns: (datasetId, labels) => columns.set(datasetId, labels),
    visible,
    begin: (step, time) => {
      name = step;
      counter = 0;
      now = epoch + time;
    },
    async ids(datasetId, held) {
      const { rows } = store.sequence({
        datasetId,
        visible: await visible(datasetId, held),
        limit: -1,
        internalFields: 'record-id',
      });
      const list = JSON.parse(`[${await textOf(rows)}]`) as Record<string, unknown>[];
      return list.map((record) => String(record['_koverse_record_id']));
    },
  };
}

const named = (records: readonly string[], ids: readonly string[]): string[] =>
  records
    .slice(0, ids.length)
    .map(
      (record, index) =>
        `{"_koverse_record_id":"${ids[index] ?? ''}"${record === '{}' ? '' : ','}${record.slice(1)}`,
    );

const except = (ids: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
};

async function send(world: World, datasetId: string, step: Pick<Step, 'label' | 'records'>): Promise<void> {
  const { store } = world;
  const labelInfo =
    step.label === undefined || step.label === ''
      ? undefined
      : { label: step.label, parserClassName: 'apply-label-to-all-records-parser' };
  const parsed = await store.parse(Buffer.from(`[${step.records.join(',')}]`), 'array');
  const visible = await world.visible(datasetId, everything);
  const prepared = await store.prepare({ datasetId, parsed, labelInfo, visible });
  await store.write({ datasetId, prepared, visible, mayRelabel: true, columnVersion: 0 });
  parsed.release();
}

/** Does a step in one world. What is replaced is told by the world that holds the visible records alone. */
async function carryOut(world: World, datasetId: string, step: Step, held: Held): Promise<void> {
  const { replaces, hides, label, records } = step;
  if (replaces === undefined) {
    const before = hides === undefined ? [] : await world.ids(datasetId, everything);
    await send(world, datasetId, step);
    if (hides === undefined) return;
    const news = except(await world.ids(datasetId, everything), before);
    await send(world, datasetId, { label: hides, records: named(records, news) });
    return;
  }
  const seen = await world.ids(datasetId, held);
  const old = replaces === 'visible' ? seen : except(await world.ids(datasetId, everything), seen);
  const replacing = named(records, old);
  if (replacing.length > 0)
    await send(world, datasetId, {
      records: replacing,
      ...(replaces === 'hidden' && label !== undefined ? { label } : {}),
    });
}

export async function openTwoStores(): Promise<TwoStores> {
  const engine = await openChdbEngine({ path: engineFolder(), memoryLimitBytes: engineBytes });
  const databases = [`worlds_${String(process.pid)}_a`, `worlds_${String(process.pid)}_b`] as const;
  const worlds = [await openWorld(engine, databases[0]), await openWorld(engine, databases[1])] as const;
  let builds = 0;

  return {
    worlds,
    async build({ held, columns, steps }) {
      builds += 1;
      const datasets = new Map<string, string>();
      for (const table of ['people', 'orders', 'teams']) {
        const place = `${String(builds).padStart(8, '0')}-0000-4000-8000-`;
        const id = place + String(datasets.size).padStart(12, '0');
        datasets.set(table, id);
        for (const { store } of worlds) await store.createDataset(id);
        worlds[1].labelColumns(id, columns);
      }
      for (const [index, step] of steps.entries()) {
        const datasetId = datasets.get(step.table) ?? '';
        for (const world of step.hidden ? worlds.slice(1) : worlds) {
          world.begin(`${String(builds)}/${String(index)}`, step.time);
          // What the reader sees comes into the second world with columns that they do not see.
          const isWhole = world === worlds[0] || step.hidden;
          const records = isWhole ? step.records : step.records.map(withHiddenColumns);
          await carryOut(world, datasetId, { ...step, records }, held);
        }
      }
      const visibleIds = new Map<string, string[]>();
      const hiddenIds = new Map<string, string[]>();
      for (const [table, id] of datasets) {
        const seen = await worlds[0].ids(id, held);
        visibleIds.set(table, seen);
        hiddenIds.set(table, except(await worlds[1].ids(id, everything), seen));
      }
      return { held, datasets, visibleIds, hiddenIds };
    },
    async drop({ datasets }) {
      for (const id of datasets.values()) for (const { store } of worlds) await store.dropDataset(id);
    },
    async close() {
      for (const { store } of worlds) await store.close();
      for (const database of databases)
        await engine.command(`DROP DATABASE IF EXISTS ${database} SYNC`, { lane: 'short' });
      await engine.close();
    },
  };
}
