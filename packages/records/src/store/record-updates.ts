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

export interface ChangeRequest extends RecordSelection {
  /**
   * What the author of the change sees and may change. Asked when the records are chosen, and again right before they are
   * changed, while nothing else is stored in the dataset; an error ends the change.
   */
  visible: () => Promise<VisibleLabels>;
  /** Whose change it is. */
  person?: string | undefined;
  /** Stops the engine's work. A change that was carried out all the same ends as if it had come too late. */
  signal?: AbortSignal | undefined;
  /** Told how many records of each label were chosen, before they are changed; an error ends the change. */
  chosen?: ((labels: ReadonlyMap<string, number>) => Promise<void>) | undefined;
}

export interface ClearRequest {
  datasetId: string;
  changeId: string;
  /** Asked right before, while nothing else is stored in the dataset; an error ends it. */
  mayStill: () => Promise<unknown>;
  signal?: AbortSignal | undefined;
}

/**
 * Changes to records that are there, each as one whole: readers see all of it or nothing. A change that a kill broke off is
 * begun again under its name, as often as need be, and comes to the same.
 */
export interface RecordUpdates {
  /** Removes the chosen records that its author still sees. */
  deleteRecords(request: ChangeRequest): Promise<void>;
  /** Gives the chosen records another label, canonical: those whose label its author still sees and nobody else has changed. */
  relabelRecords(request: ChangeRequest & { label: string }): Promise<void>;
  /**
   * Removes all records, whoever sees them; those that come after the first time it is done under this name stay.
   */
  clearDataset(request: ClearRequest): Promise<void>;
  /** What was kept for a change to be begun again. To be called when it has come to its end. */
  forgetChange(datasetId: string, changeId: string): Promise<void>;
  /** The changes for which something is still kept. */
  changesLeft(): Promise<{ datasetId: string; changeId: string }[]>;
}

/** What takes the place of a dataset's table, and then holds what is to be dropped. */
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

  /** Runs while nothing is stored in the dataset, here or in another process, and has its records counted anew then. */
  const alone = async (datasetId: string, work: () => Promise<void>): Promise<void> => {
    await commit.alone(datasetId, async () => {
      try {
        await replacing.between(datasetId, work);
      } finally {
        counters.forget(datasetId);
      }
    });
    await copies.removeOutdated(datasetId);
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
      } catch (fault) {
        if (!(await isDone(datasetId, condition))) throw fault;
      }
      for (const sql of layout.settle(tableName(datasetId))) await run(sql);
    });
  }

  /** Whether a statement that was stopped, now or in a process that died, was carried out: it is one whole, so nothing is left to be changed then. */
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
        // That a row exists is said of every row: where an update is about labels alone, the engine (chdb 3.4.0) takes rows for
        // others that it answers from the index of words. With the words in it, an update takes memory for all of them.
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
