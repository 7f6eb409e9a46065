import { quoteString } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { createArrivingLabels, createArrivingRecords, type ArrivingLabels } from './arriving-records.ts';
import type { CounterDelta } from './counters.ts';
import { qualifyTable, tableName } from './record-table.ts';
import {
  changesOf,
  labelsAfter,
  replacementOf,
  requireReplaceable,
  type ReplaceRequest,
} from './replace-request.ts';
import { createReplacedRecords, portionsOf, type OldRecord } from './replaced-records.ts';
import { defaultStoreLimits } from './store-limits.ts';
import type { TableLayout } from './table-layout.ts';

/**
 * Replaces records and inserts others in one atomic write, even if the process is killed:
 *
 * 1. Read the records to replace that are visible to the writer.
 * 2. Create the table `…__checking`. Insert all new rows in portions, under label ids that nobody sees (a row may be
 *    much larger than what was sent, because it keeps hidden columns). Large hidden columns are only in the text of a
 *    row; the engine completes such rows with what it stores for the replaced records. Store the ids of the rows in
 *    `…__checking`. If anything fails up to here, delete the rows and then the table.
 * 3. Rename the table to `…__staged`. This commits the write.
 * 4. Run one UPDATE that gives the new rows their labels and deletes the replaced ones, so readers see the whole write
 *    or nothing of it. Drop the table.
 *
 * After a kill, the next start deletes the rows of a table `…__checking`, and repeats step 4 for a table `…__staged`,
 * which has the same result when it runs twice. A dataset has one such write at a time, and nothing else is stored in
 * it meanwhile, so the repetition cannot delete a newer version of a record. Memory holds one portion of the rows at a
 * time.
 */
const suffixes = { checking: '__checking', staged: '__staged' } as const;

export interface RecordReplacements {
  /**
   * Whether the last replacement in the dataset is incomplete because the engine failed. The next one completes or
   * undoes it.
   */
  isUnfinished(datasetId: string): boolean;
  /**
   * Stores a write with replacements. Call it while nothing else is stored in the dataset.
   * @param prepare called while no process changes labels of records in the dataset
   * @returns the changes of the counters
   * @throws RedoubtError 404 for an id that is absent or hidden from the writer, 403 for a label that the writer may
   *   not change
   */
  replace(datasetId: string, prepare: () => Promise<ReplaceRequest>): Promise<CounterDelta[]>;
  /**
   * Completes or undoes an interrupted replacement in the dataset, and then runs `work` while no process replaces
   * records of it. Call it while nothing else is stored in the dataset.
   */
  between<Result>(datasetId: string, work: () => Promise<Result>): Promise<Result>;
  /** Runs `work` while no process updates or replaces records of the dataset. */
  beside<Result>(datasetId: string, work: () => Promise<Result>): Promise<Result>;
  /** Completes or undoes the replacements of processes that were killed, in every dataset. */
  recover(): Promise<void>;
  /** Drops the auxiliary tables of a dataset that is being dropped. */
  forget(datasetId: string): Promise<void>;
}

/** A lock among processes that share an engine: runs `work` while no other process runs work with the same name. */
export type RunExclusively = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export interface RecordReplacementsOptions {
  /** The lock among processes, if other processes use the same engine. */
  shared?: RunExclusively | undefined;
  /** Called before a dataset is changed, while nothing else is stored in it. */
  settle?: ((datasetId: string) => Promise<void>) | undefined;
  /** The memory in which the engine may complete several rows at once. */
  completingBytes?: number | undefined;
}

export function createRecordReplacements(
  engine: Engine,
  database: string,
  layout: TableLayout,
  {
    shared,
    settle = async () => undefined,
    completingBytes = defaultStoreLimits.queryMemoryBytes,
  }: RecordReplacementsOptions = {},
): RecordReplacements {
  const runAlone: RunExclusively = shared ?? (async (_name, work) => work());
  const named = (table: string): string => qualifyTable(database, table);
  const run = async (sql: string): Promise<void> => engine.command(sql, { lane: 'short' });
  const drop = async (table: string): Promise<void> => run(layout.dropStaging(table));

  /** Datasets with an incomplete write, committed or not. The next write first completes or undoes it. */
  const unfinished = new Set<string>();

  const replaced = createReplacedRecords(engine);
  const arriving = createArrivingRecords(engine, database, layout, completingBytes);

  /**
   * Inserts all rows under label ids that nobody sees.
   * @param currentIds the result of `currentLabelIds`
   * @returns the field codes of each replacing record, in the order of `old`
   */
  async function store(
    request: ReplaceRequest,
    old: readonly OldRecord[],
    currentIds: ReadonlyMap<number, number>,
  ): Promise<(readonly number[])[]> {
    const { datasetId, updates, visible, rowsOf, labelIds, mark } = request;
    const table = tableName(datasetId);
    const next = labelsAfter(request, old, currentIds);
    const labels = createArrivingLabels([...labelIds, ...next.values()], mark);
    const order = new Map([...labels.keys()].map((id, index) => [id, index]));
    const carrying = createArrivingLabels(labels.keys(), mark + labels.size);
    const orderOf = new Map(updates.recordIds.map((id, at) => [id, at]));
    const codes: (readonly number[])[] = [];

    await drop(table + suffixes.checking);
    await run(layout.createStaging(table + suffixes.checking));
    const rows = arriving.rows(table, table + suffixes.checking, { labels, carrying, visible });
    for (const portion of portionsOf(old)) {
      const parts = await replaced.hiddenParts(named(table), visible, portion);
      const mayCarry = sizeOf(parts) >= carriedCharacters;
      const { rows: summary, carriedPaths } = await request.steps.prepareRows(
        portion.map(({ id, codes: oldCodes, source }) => {
          const label = order.get(next.get(id) ?? -1) ?? -1;
          return {
            ...replacementOf(updates, orderOf.get(id) ?? -1, label),
            hiddenPart: parts.get(id),
            codes: oldCodes,
            carriedLabel: mayCarry ? labels.size + label : undefined,
            source,
          };
        }),
      );
      const shapes = summary.shapeOf.map((shape) => summary.shapes[shape]);
      for (const shape of shapes) codes.push(shape?.codes ?? []);
      const ids = portion.flatMap(({ id }, at) => ((shapes[at]?.label ?? 0) < labels.size ? [] : [id]));
      await rows.add(await rowsOf('updates', [...prefixesOf(labels), ...prefixesOf(carrying)]), {
        ids,
        paths: carriedPaths,
      });
    }
    // Inserts come last, because new ids sort after all old ones.
    await rows.add(
      await rowsOf(
        'inserts',
        labelIds.map((id) => `${String(labels.get(id))}\t`),
      ),
    );
    await rows.end();
    return codes;
  }

  /** Undoes a write that was not committed. */
  async function undo(table: string): Promise<void> {
    await arriving.remove(table);
    await drop(table + suffixes.checking);
  }

  /** Completes a write that was committed. */
  async function complete(table: string): Promise<void> {
    await arriving.show(table, table + suffixes.staged);
    for (const sql of layout.settle(table)) await run(sql);
    await drop(table + suffixes.staged);
  }

  /** Completes or undoes the write of a process that was killed, or whose engine failed. */
  async function endInterrupted(table: string, names: readonly string[]): Promise<void> {
    if (names.includes(table + suffixes.staged)) await complete(table);
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
    return runAlone(table, async () => {
      const mayBeInterrupted =
        unfinished.has(datasetId) || shared !== undefined || layout.cluster !== undefined;
      const names = mayBeInterrupted
        ? (await namesOfTables()).filter((name) => baseOf(name).includes(table))
        : [];
      if (names.length > 0) {
        unfinished.add(datasetId);
        // If another server of the cluster was interrupted, its rows may not have arrived on this server yet.
        for (const name of [layout.stored(table), ...names]) await run(layout.catchUp(name));
        await endInterrupted(table, names);
      }
      unfinished.delete(datasetId);
      await settle(datasetId);
      return work();
    });
  };

  return {
    between,
    beside: async (datasetId, work) => runAlone(tableName(datasetId), work),
    replace: async (datasetId, prepare) =>
      between(datasetId, async () => {
        const request = await prepare();
        const table = tableName(datasetId);
        const old = await replaced.read(named(table), request.visible, request.updates.recordIds);
        requireReplaceable(request, old);
        const currentIds = await request.steps.currentLabelIds([
          ...new Set(old.map((record) => record.labelId)),
        ]);
        unfinished.add(datasetId);
        let codes: (readonly number[])[];
        try {
          codes = await store(request, old, currentIds);
          await request.steps.onDecided(changesOf(request, old, codes, unchangedIds));
        } catch (error) {
          // If it cannot be undone now, the next write undoes it first.
          await undo(table).then(
            () => unfinished.delete(datasetId),
            () => undefined,
          );
          throw error;
        }
        await run(layout.renameStaging(table + suffixes.checking, table + suffixes.staged));
        await complete(table);
        unfinished.delete(datasetId);
        await request.steps.onStored();
        return changesOf(request, old, codes, currentIds);
      }),
    isUnfinished: (datasetId) => unfinished.has(datasetId),
    async recover() {
      const bases = new Set((await namesOfTables()).flatMap(baseOf));
      for (const base of bases) {
        // A write that another process is running ends before the lock is free. Tables that are still there then were
        // left by a process that was killed.
        await runAlone(base, async () => endInterrupted(base, await namesOfTables()));
      }
    },
    forget: async (datasetId) =>
      runAlone(tableName(datasetId), async () => {
        unfinished.delete(datasetId);
        for (const suffix of Object.values(suffixes)) await drop(tableName(datasetId) + suffix);
      }),
  };
}

/** The table of records that an auxiliary table belongs to; empty for other tables. */
const baseOf = (name: string): string[] =>
  Object.values(suffixes).flatMap((suffix) => (name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : []));

/**
 * From how many hidden characters in a portion on the engine carries their words, times and overflow values over.
 * Parsing fewer characters again takes less time than a further statement.
 */
const carriedCharacters = 64_000;

const prefixesOf = (labels: ArrivingLabels): string[] => [...labels.values()].map((id) => `${String(id)}\t`);

const sizeOf = (parts: ReadonlyMap<string, string>): number =>
  [...parts.values()].reduce((sum, part) => sum + part.length, 0);

const unchangedIds: ReadonlyMap<number, number> = new Map();
