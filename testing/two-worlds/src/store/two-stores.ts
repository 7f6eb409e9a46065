import { createHash } from 'node:crypto';
import type { ColumnLabels, VisibleLabels } from '@redoubt/labels';
import { openChdbEngine } from '@redoubt/records';
import type { Engine } from '@redoubt/records';
import type { DatasetCatalog } from '@redoubt/records';
import { createRecordStore } from '@redoubt/records';
import { createMemoryCatalog } from '@redoubt/records/testing';
import { engineFolder, textOf } from '@redoubt/records/testing';
import { applyStep, except } from './apply-step.ts';
import { maxStatementMilliseconds, type TwoStores, type World } from './world.ts';
import { withHiddenColumns } from './hidden-columns.ts';
import { everything, type Held } from './random-labels.ts';

const epoch = Date.UTC(2026, 0, 1);
const engineBytes = 1_500_000_000;

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
    limits: {
      splitRecords: 10,
      querySeconds: maxStatementMilliseconds / 1000,
      streamSeconds: maxStatementMilliseconds / 1000,
    },
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
          const name = `${String(builds)}-${String(index)}`;
          world.begin(name, step.time);
          // In the second world, visible records have hidden columns, too.
          const isWhole = world === worlds[0] || step.hidden;
          const records = isWhole ? step.records : step.records.map(withHiddenColumns);
          const isFirst = world === worlds[0];
          await applyStep({ world, datasetId, held, isFirst, name }, { ...step, records });
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
