import type { VisibleLabels } from '@redoubt/labels';
import { querySettings, quoteString, recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import type { CatalogCache } from './catalog-cache.ts';
import type { RecordSelection, RecordSelections } from './record-selections.ts';
import type { Counters } from './counters.ts';
import type { GroupCommit } from './group-commit.ts';
import { qualifyTable, tableName } from './record-table.ts';
import type { RecordReplacements } from './record-replacements.ts';
import { statementOptions } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';
import type { SummaryCopies } from './summary-copies.ts';
import type { TableLayout } from './table-layout.ts';

const { recordId, labelId } = recordColumns;

/** A deletion or relabelling of selected records. It resumes after a crash under its `changeId`. */
export interface ChangeRequest extends RecordSelection {
  /**
   * Returns what is visible to the author; throws if the author may no longer make the update. Called when the records
   * are selected, and again right before the update, while no insert into the dataset runs. An error ends the update.
   */
  visible: () => Promise<VisibleLabels>;
  /** The author of the update. */
  person?: string | undefined;
  /** Aborts the update. An update that the engine has already made counts as completed. */
  signal?: AbortSignal | undefined;
  /** Called with the number of selected records for each label before they change. An error ends the update. */
  chosen?: ((labels: ReadonlyMap<string, number>) => Promise<void>) | undefined;
}

/** The deletion of all records of a dataset. It resumes after a crash under its `changeId`. */
export interface ClearRequest {
  datasetId: string;
  changeId: string;
  /** Called right before the change, while no insert into the dataset runs. An error ends the change. */
  mayStill: () => Promise<unknown>;
  signal?: AbortSignal | undefined;
}

/**
 * Updates existing records. Each update is atomic: readers see all of it or nothing. After a crash, an update resumes
 * under its id, any number of times, with the same result.
 */
export interface RecordUpdates {
  /** Deletes the selected records that are still visible to the author. */
  deleteRecords(request: ChangeRequest): Promise<void>;
  /**
   * Gives the selected records another, canonical label, if they are still visible to the author and their label has
   * not changed.
   */
  relabelRecords(request: ChangeRequest & { label: string }): Promise<void>;
  /**
   * Deletes all records with any label. If it resumes under its id, records that were written since the first run stay.
   */
  clearDataset(request: ClearRequest): Promise<void>;
  /** Deletes the data that is kept for resuming an update. Call it when the update has ended. */
  forgetChange(datasetId: string, changeId: string): Promise<void>;
  /** The updates that still have data for resuming. */
  changesLeft(): Promise<{ datasetId: string; changeId: string }[]>;
}

/**
 * The name of the empty table that replaces the table of a dataset; afterwards it names the old table, which is
 * dropped.
 */
export const clearedTable = (stored: string): string => `${stored}__cleared`;

export interface RecordUpdatesDeps {
  engine: Engine;
  database: string;
  layout: TableLayout;
  cache: CatalogCache;
  commit: GroupCommit;
  counters: Counters;
  replacing: RecordReplacements;
  choosing: RecordSelections;
  copies: Pick<SummaryCopies, 'removeOutdated'>;
  limits: StoreLimits;
}

export function createRecordUpdates(deps: RecordUpdatesDeps): RecordUpdates {
  const { engine, database, layout, cache, commit, counters, replacing, choosing, copies, limits } = deps;
  const named = (table: string): string => qualifyTable(database, table);
  const run = async (sql: string): Promise<void> => engine.command(sql, { lane: 'short' });

  const options = (request: ChangeRequest) => statementOptions(limits, 'streamSeconds', 'long', request);

  /** Runs work while no process inserts into the dataset, and drops the cached counts afterwards. */
  const alone = async (datasetId: string, work: () => Promise<void>): Promise<void> => {
    await commit.alone(datasetId, async () => {
      try {
        await replacing.between(datasetId, work);
      } finally {
        counters.forget(datasetId);
      }
    });
    // The change is made by now, so it succeeds even if this fails.
    await copies.removeOutdated(datasetId).catch(() => undefined);
  };

  async function change(
    request: ChangeRequest,
    statement: (condition: string) => string,
    settings: Record<string, number | string>,
    isChosen: string,
  ): Promise<void> {
    const { datasetId, signal } = request;
    const records = await choosing.choose(request, await request.visible(), options(request));
    await request.chosen?.(records);
    if (records.size === 0) return;
    await alone(datasetId, async () => {
      const condition = `${await choosing.condition(request, await request.visible())} AND ${isChosen}`;
      try {
        signal?.throwIfAborted();
        await engine.command(statement(condition), {
          ...options(request),
          settings: { ...querySettings, ...settings },
        });
      } catch (error) {
        if (!(await isDone(datasetId, condition))) throw error;
      }
      for (const sql of layout.settle(tableName(datasetId))) await run(sql);
    });
  }

  /**
   * Whether an aborted statement, of this or of a crashed process, has taken effect. It is atomic, so then no record is
   * left to change.
   */
  async function isDone(datasetId: string, condition: string): Promise<boolean> {
    const left = await engine
      .text(`SELECT count() FROM ${named(tableName(datasetId))} WHERE ${condition}`, {
        lane: 'short',
        settings: querySettings,
      })
      .catch(() => undefined);
    return left !== undefined && Number(left) === 0;
  }

  const storedTable = (datasetId: string): string => named(layout.stored(tableName(datasetId)));

  return {
    deleteRecords: async (request) =>
      change(
        request,
        (condition) => `DELETE FROM ${storedTable(request.datasetId)} WHERE ${condition}`,
        { lightweight_delete_mode: 'lightweight_update_force' },
        `${recordId} IN (SELECT ${recordId} FROM ${choosing.chosenIn(request)})`,
      ),

    async relabelRecords(request) {
      const [label] = await cache.labelIds(request.datasetId, [request.label]);
      if (label === undefined) throw new Error('The catalog gave no id for a label.');
      await change(
        request,
        // Also sets `_row_exists`, which is 1 in every row. If an update sets only labels, the engine (chdb 3.4.0)
        // confuses rows that it finds by the word index; setting the words instead would need memory for all of them.
        (condition) =>
          `UPDATE ${storedTable(request.datasetId)} SET ${labelId} = ${String(label)}, _row_exists = 1 WHERE ${condition}`,
        {},
        `(${recordId}, ${labelId}) IN (SELECT ${recordId}, ${labelId} FROM ${choosing.chosenIn(request)}) AND ${labelId} != ${String(label)}`,
      );
    },

    clearDataset: async ({ datasetId, changeId, mayStill, signal }) =>
      alone(datasetId, async () => {
        const table = tableName(datasetId);
        const stored = layout.stored(table);
        const empty = clearedTable(stored);
        const comment = await engine.text(
          `SELECT comment FROM system.tables WHERE database = ${quoteString(database)} AND name = ${quoteString(stored)}`,
          { lane: 'short' },
        );
        await run(layout.dropStaging(empty));
        if (comment.trimEnd() === changeId) return;
        await mayStill();
        signal?.throwIfAborted();
        for (const sql of layout.putEmpty(table, empty, changeId)) await run(sql);
      }),

    forgetChange: async (datasetId, changeId) => choosing.forget({ datasetId, changeId }),
    changesLeft: choosing.left,
  };
}
