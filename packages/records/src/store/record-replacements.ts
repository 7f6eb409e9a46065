import { forbidden, RedoubtError } from '@redoubt/errors';
import type { InternedLabel, VisibleLabels } from '@redoubt/labels';
import { quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import type { RenderRows } from '../intake/intake.ts';
import type { Updates } from '../intake/prepare-batch.ts';
import type { Replacement } from '../intake/prepare-replacements.ts';
import type { RowsSummary } from '../intake/prepared-rows.ts';
import { createArrivingLabels, createArrivingRecords } from './arriving-records.ts';
import { toCounterDeltas, type CounterDelta } from './counters.ts';
import { qualifyTable, tableName } from './record-table.ts';
import { createReplacedRecords, portionsOf, type OldRecord } from './replaced-records.ts';
import type { TableLayout } from './table-layout.ts';

/**
 * Replacing records, and adding others with them, as one whole even when the process is killed:
 *
 * 1. What is replaced is looked up as its writer sees it.
 * 2. A table `…__checking` is made, and all new rows are inserted in portions under labels that nobody sees: what a record
 *    keeps of the one before it may be far larger than what was sent. Any fault ends here: the rows are deleted, then the table.
 * 3. The table, which holds the ids of the rows and their labels by now, is renamed to `…__staged`. From this moment on the
 *    write is done, whatever happens.
 * 4. One UPDATE gives the new rows their labels and deletes the replaced ones, so that readers see all of the write or
 *    nothing; the table is dropped.
 *
 * A start after a kill deletes what arrived beside a table `…__checking`, and does step 4 again for what is `…__staged`: done
 * twice it gives the same. A dataset has one such write at a time and nothing else is stored meanwhile, so no later version of
 * a record can be lost to the repetition. No step holds more than a portion of the rows.
 */
const suffixes = { checking: '__checking', staged: '__staged' } as const;

export interface ReplaceRequest {
  datasetId: string;
  inserts: RowsSummary;
  updates: Updates;
  /** The rows of the inserts, or of the updates that were prepared last, with a text in front for each label. */
  rowsOf: RenderRows;
  /** A random number from 0 to 2^31 - 1. */
  mark: number;
  /** Makes the rows of some of the updates. */
  prepareUpdates: (replacements: readonly Replacement[]) => Promise<RowsSummary>;
  /** The id of each of the batch's labels. */
  labelIds: readonly number[];
  /** Whether records get the label of the write; otherwise they keep theirs. */
  relabels: boolean;
  visible: VisibleLabels;
  /** The labels of the dataset by id: one may stand under several. */
  labels: readonly InternedLabel[];
  /** Whether the writer may change labels. */
  mayRelabel: boolean;
  /**
   * The ids that these labels have by now, where they are others. Records that keep their label get them as new ones do:
   * a reader who started before a column was labelled does not see values written to it since.
   */
  present: (labelIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** Told what comes and goes, when the write is decided and before it is stored; an error ends it. */
  decided: (changes: readonly CounterDelta[]) => Promise<void>;
}

export interface RecordReplacements {
  /** Whether the engine failed in the middle of the dataset's last replacement, which the next one finishes. */
  isUnfinished(datasetId: string): boolean;
  /**
   * Runs while nothing else is stored in the dataset.
   * @returns what went: the replaced records with the label that each keeps or had
   * @throws RedoubtError 404 for an id that its writer does not see, 403 for a new label without authority
   */
  replace(request: ReplaceRequest): Promise<CounterDelta[]>;
  /**
   * Runs while no process replaces records of the dataset, after what is left of a replacement that was broken off.
   * Called while nothing else is stored in the dataset.
   */
  between<Result>(datasetId: string, work: () => Promise<Result>): Promise<Result>;
  /** Runs while no process changes or replaces records of the dataset. */
  beside<Result>(datasetId: string, work: () => Promise<Result>): Promise<Result>;
  /** Ends what a killed process began, in every dataset. */
  recover(): Promise<void>;
  /** Drops what belongs to a dataset that is being dropped. */
  forget(datasetId: string): Promise<void>;
}

/** For processes that share an engine: runs work while no other does so under the same name. */
export type RunExclusively = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * @param shared given where other processes use the same engine, whose replacements are then neither met nor missed
 * @param settle called before anything is changed in a dataset, while nothing else is stored in it
 */
export function createRecordReplacements(
  engine: Engine,
  database: string,
  layout: TableLayout,
  shared?: RunExclusively,
  settle: (datasetId: string) => Promise<void> = async () => undefined,
): RecordReplacements {
  const alone: RunExclusively = shared ?? (async (_name, work) => work());
  const named = (table: string): string => qualifyTable(database, table);
  const run = async (sql: string): Promise<void> => engine.command(sql, { lane: 'short' });
  const drop = async (table: string): Promise<void> => run(layout.dropStaging(table));

  /** Datasets with a write that was not brought to its end, whether it was decided or not: it comes before the next one. */
  const unfinished = new Set<string>();

  const replaced = createReplacedRecords(engine);
  const arriving = createArrivingRecords(engine, database, layout);

  /**
   * Stores all rows where nobody sees them.
   * @param present see `ReplaceRequest`
   * @returns the codes of each updated record, in the order of the old ones
   */
  async function store(
    request: ReplaceRequest,
    old: readonly OldRecord[],
    present: ReadonlyMap<number, number>,
  ): Promise<(readonly number[])[]> {
    const { datasetId, updates, visible, rowsOf, labelIds, mark } = request;
    const table = tableName(datasetId);
    const next = labelsAfter(request, old, present);
    const labels = createArrivingLabels([...labelIds, ...next.values()], mark);
    const order = new Map([...labels.keys()].map((id, index) => [id, index]));
    const prefixOf = (id: number): string => `${String(labels.get(id))}\t`;
    const orderOf = new Map(updates.recordIds.map((id, at) => [id, at]));
    const codes: (readonly number[])[] = [];

    await drop(table + suffixes.checking);
    await run(layout.createStaging(table + suffixes.checking));
    const rows = arriving.rows(table, table + suffixes.checking, labels);
    for (const portion of portionsOf(old)) {
      const parts = await replaced.hiddenParts(named(table), visible, portion);
      const { shapes, shapeOf } = await request.prepareUpdates(
        portion.map(({ id, source }) => ({
          ...replacementOf(updates, orderOf.get(id) ?? -1, order.get(next.get(id) ?? -1) ?? -1),
          hiddenPart: parts.get(id),
          source,
        })),
      );
      for (const shape of shapeOf) codes.push(shapes[shape]?.codes ?? []);
      await rows.add(await rowsOf('updates', [...labels.keys()].map(prefixOf)));
    }
    // Last, as their ids are.
    await rows.add(await rowsOf('inserts', labelIds.map(prefixOf)));
    await rows.end();
    return codes;
  }

  /** Ends a write that was not decided. */
  async function undo(table: string): Promise<void> {
    await arriving.remove(table);
    await drop(table + suffixes.checking);
  }

  /** Ends a write that was decided. */
  async function apply(table: string): Promise<void> {
    await arriving.show(table, table + suffixes.staged);
    for (const sql of layout.settle(table)) await run(sql);
    await drop(table + suffixes.staged);
  }

  /** Ends what a process left that was killed, or whose engine failed. */
  async function endLeftOver(table: string, names: readonly string[]): Promise<void> {
    if (names.includes(table + suffixes.staged)) await apply(table);
    if (names.includes(table + suffixes.checking)) await undo(table);
  }

  async function namesOfTables(): Promise<string[]> {
    const text = await engine.text(
      `SELECT name FROM system.tables WHERE database = ${quoteString(database)}`,
      {
        lane: 'short',
      },
    );
    return text.split('\n').filter((name) => name !== '');
  }

  const between = async <Result>(datasetId: string, work: () => Promise<Result>): Promise<Result> => {
    const table = tableName(datasetId);
    return alone(table, async () => {
      const mayBeLeft = unfinished.has(datasetId) || shared !== undefined || layout.cluster !== undefined;
      const names = mayBeLeft ? (await namesOfTables()).filter((name) => baseOf(name).includes(table)) : [];
      if (names.length > 0) {
        unfinished.add(datasetId);
        // Where another server of a cluster left it, this one may not have all of it yet.
        for (const each of [layout.stored(table), ...names]) await run(layout.catchUp(each));
        await endLeftOver(table, names);
      }
      unfinished.delete(datasetId);
      await settle(datasetId);
      return work();
    });
  };

  return {
    between,
    beside: async (datasetId, work) => alone(tableName(datasetId), work),
    replace: async (request) =>
      between(request.datasetId, async () => {
        const table = tableName(request.datasetId);
        const old = await replaced.read(named(table), request.visible, request.updates.recordIds);
        refuse(request, old);
        const present = await request.present([...new Set(old.map((record) => record.labelId))]);
        unfinished.add(request.datasetId);
        let codes: (readonly number[])[];
        try {
          codes = await store(request, old, present);
          await request.decided(changesOf(request, old, codes, sameIds));
        } catch (fault) {
          // What cannot be undone now is undone before the next write.
          await undo(table).then(
            () => unfinished.delete(request.datasetId),
            () => undefined,
          );
          throw fault;
        }
        await run(layout.renameStaging(table + suffixes.checking, table + suffixes.staged));
        await apply(table);
        unfinished.delete(request.datasetId);
        return changesOf(request, old, codes, present);
      }),
    isUnfinished: (datasetId) => unfinished.has(datasetId),
    async recover() {
      const bases = new Set((await namesOfTables()).flatMap(baseOf));
      for (const base of bases) {
        // What another process is in the midst of is over once its turn is; what is left then was left by a dead one.
        await alone(base, async () => endLeftOver(base, await namesOfTables()));
      }
    },
    forget: async (datasetId) =>
      alone(tableName(datasetId), async () => {
        unfinished.delete(datasetId);
        for (const suffix of Object.values(suffixes)) await drop(tableName(datasetId) + suffix);
      }),
  };
}

/** The table that a helping table belongs to, if it is one. */
const baseOf = (name: string): string[] =>
  Object.values(suffixes).flatMap((suffix) => (name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : []));

const sameIds: ReadonlyMap<number, number> = new Map();

/** The label of each updated record after the write, by its id. */
function labelsAfter(
  { updates, labelIds, relabels }: ReplaceRequest,
  old: readonly OldRecord[],
  present: ReadonlyMap<number, number>,
): ReadonlyMap<string, number> {
  const given = new Map(updates.recordIds.map((id, order) => [id, labelIds[updates.labels[order] ?? -1]]));
  return new Map(
    old.map(({ id, labelId }) => [id, (relabels ? given.get(id) : (present.get(labelId) ?? labelId)) ?? -1]),
  );
}

/** A label that has no text here is like no other. */
const textOf = (labels: readonly InternedLabel[], id: number | undefined): string | number | undefined =>
  labels[id ?? -1]?.expression ?? id;

function refuse(
  { updates, labelIds, labels, relabels, mayRelabel }: ReplaceRequest,
  old: readonly OldRecord[],
): void {
  if (old.length !== updates.recordIds.length) {
    throw new RedoubtError(
      'NotFoundError',
      'A record that this write replaces does not exist, by its "_koverse_record_id". Nothing of the write was stored.',
    );
  }
  if (!relabels || mayRelabel) return;
  const before = new Map(old.map((record) => [record.id, record.labelId]));
  for (const [order, id] of updates.recordIds.entries()) {
    const [present, next] = [before.get(id), labelIds[updates.labels[order] ?? -1]];
    if (present !== next && textOf(labels, present) !== textOf(labels, next)) {
      throw forbidden(
        `The record "${id}" would get another label. Changing labels needs the permission to manage the dataset; leave securityLabelInfo out to keep the label.`,
      );
    }
  }
}

function replacementOf(
  updates: Updates,
  order: number,
  label: number,
): Omit<Replacement, 'hiddenPart' | 'source'> {
  const [recordId, index] = [updates.recordIds[order], updates.indexes[order]];
  if (recordId === undefined || index === undefined || label < 0)
    throw new Error('A record was found that the write does not replace.');
  return { recordId, index, label };
}

/** What the counters learn: each replaced record goes with its old label and fields, and comes with the new ones. */
function changesOf(
  request: ReplaceRequest,
  old: readonly OldRecord[],
  codes: readonly (readonly number[])[],
  present: ReadonlyMap<number, number>,
): CounterDelta[] {
  const gone = old.map((record) => ({ labelId: record.labelId, codes: record.codes, count: -1 }));
  const next = labelsAfter(request, old, present);
  const come = old.map(({ id }, at) => ({ labelId: next.get(id) ?? -1, codes: codes[at] ?? [], count: 1 }));
  return [...gone, ...come, ...toCounterDeltas(request.inserts, request.labelIds)];
}
