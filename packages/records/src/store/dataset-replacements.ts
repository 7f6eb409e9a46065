import type { InternedLabel, VisibleLabels } from '@redoubt/labels';
import { compileLabelPredicate, querySettings, recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import type { CatalogCache } from './catalog-cache.ts';
import type { Counters } from './counters.ts';
import type { GroupCommit } from './group-commit.ts';
import { qualifyTable, tableName } from './record-table.ts';
import type { RecordReplacements } from './record-replacements.ts';
import { isStagedIn, shownLabel } from './staged-labels.ts';
import type { SummaryCopies } from './summary-copies.ts';
import type { TableLayout } from './table-layout.ts';

const { labelId } = recordColumns;

/** Records of a dataset that arrived in a slot. */
export interface StagedRecords {
  datasetId: string;
  slot: number;
}

/** The number of records by canonical label. */
export type LabelCounts = ReadonlyMap<string, number>;

export interface ReplaceVisibleRequest extends StagedRecords {
  /** How many records the slot must contain. Clearing the dataset may have removed some of them. */
  expected: number;
  /**
   * Returns what is visible to the author, and the version of the column labels. Called right before the replacement;
   * throws if the author is no longer allowed to make it.
   */
  author: () => Promise<{ visible: VisibleLabels; columnVersion: number }>;
  /** Called right before the records are replaced. An error ends the work. */
  decided: (gone: LabelCounts, come: LabelCounts) => Promise<void>;
  /**
   * Called after the records are replaced. Nothing else changes the dataset between `decided` and the end of this call.
   */
  stored: () => Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Replaces all visible records of a dataset by the records of a slot, which nobody sees until then. */
export interface DatasetReplacements {
  /**
   * Makes the records of a slot visible and deletes the records that are visible to the author. This is atomic, also
   * after a crash: readers see both changes or none.
   * @returns false, without any change, if the slot does not contain as many records as expected
   */
  replaceVisible(request: ReplaceVisibleRequest): Promise<boolean>;
  /** Deletes the records of a slot. */
  removeStaged(staged: StagedRecords): Promise<void>;
}

export interface DatasetReplacementsDeps {
  engine: Pick<Engine, 'command' | 'text'>;
  database: string;
  layout: TableLayout;
  cache: CatalogCache;
  commit: GroupCommit;
  counters: Counters;
  replacing: RecordReplacements;
  copies: Pick<SummaryCopies, 'removeOutdated'>;
}

export function createDatasetReplacements(deps: DatasetReplacementsDeps): DatasetReplacements {
  const { engine, database, layout, cache, commit, counters, replacing, copies } = deps;
  const storedTable = (datasetId: string): string =>
    qualifyTable(database, layout.stored(tableName(datasetId)));

  /** Runs work while nothing else changes the dataset, and drops the cached counts afterwards. */
  async function alone<Result>(datasetId: string, work: () => Promise<Result>): Promise<Result> {
    const result = await commit.alone(datasetId, async () => {
      try {
        return await replacing.between(datasetId, work);
      } finally {
        counters.forget(datasetId);
      }
    });
    // The change is made by now, so it succeeds even if this fails.
    await copies.removeOutdated(datasetId).catch(() => undefined);
    return result;
  }

  /** How many records satisfy a condition, by the id of their label. */
  async function countLabels(datasetId: string, condition: string): Promise<[id: number, count: number][]> {
    const text = await engine.text(
      `SELECT ${labelId}, count() FROM ${qualifyTable(database, tableName(datasetId))} WHERE ${condition} GROUP BY ${labelId} ORDER BY ${labelId}`,
      { lane: 'short', settings: querySettings },
    );
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [id = -1, count = 0] = line.split('\t').map(Number);
        return [id, count];
      });
  }

  async function settleUpdate(datasetId: string): Promise<void> {
    for (const sql of layout.settle(tableName(datasetId))) await engine.command(sql, { lane: 'short' });
  }

  /** One update shows the staged records and deletes the visible ones. */
  async function exchange(
    { datasetId, slot }: StagedRecords,
    staged: readonly [label: number, becomes: number][],
    visible: VisibleLabels,
  ): Promise<void> {
    const table = storedTable(datasetId);
    const before = staged.map(([label]) => String(label)).join(', ');
    const after = staged.map(([, label]) => String(label)).join(', ');
    const isStaged = isStagedIn(slot);
    // A server may complete the statement of a crashed process. The retry then finds no staged records, and deletes
    // nothing.
    const sql = `UPDATE ${table} SET ${labelId} = toUInt32(transform(${labelId}, [${before}], [${after}], ${labelId})), _row_exists = (${isStaged})
      WHERE ((${isStaged}) OR (${compileLabelPredicate(visible)})) AND (SELECT count() FROM ${table} WHERE ${isStaged}) > 0`;
    try {
      await engine.command(sql, { lane: 'long', settings: querySettings });
    } catch (error) {
      const left = await countLabels(datasetId, isStaged).catch(() => undefined);
      if (left === undefined || left.length > 0) throw error;
    }
    await settleUpdate(datasetId);
  }

  return {
    replaceVisible: async (request) =>
      alone(request.datasetId, async () => {
        const { datasetId, slot, signal } = request;
        const { visible, columnVersion } = await request.author();
        const staged = await countLabels(datasetId, isStagedIn(slot));
        if (staged.reduce((sum, [, count]) => sum + count, 0) !== request.expected) return false;
        const gone = await countLabels(datasetId, compileLabelPredicate(visible));
        const ids = staged.map(([label]) => shownLabel(slot, label));
        const labels = await cache.labels(datasetId, Math.max(visible.version, ...ids.map((id) => id + 1)));
        const expressions = ids.map((id) => expressionOf(labels, id));
        // Use current label ids, as for new records: a reader who started before a column was labelled then sees none
        // of these records.
        const present = await cache.labelIds(datasetId, expressions, columnVersion);
        await request.decided(
          sumByLabel(gone, (id) => expressionOf(labels, id)),
          sumByLabel(staged, (label) => expressionOf(labels, shownLabel(slot, label))),
        );
        signal?.throwIfAborted();
        await exchange(
          request,
          staged.map(([label], index): [number, number] => [label, present[index] ?? -1]),
          visible,
        );
        await request.stored();
        return true;
      }),

    removeStaged: async ({ datasetId, slot }) =>
      alone(datasetId, async () => {
        await engine.command(`DELETE FROM ${storedTable(datasetId)} WHERE ${isStagedIn(slot)}`, {
          lane: 'short',
          settings: { lightweight_delete_mode: 'lightweight_update_force' },
        });
        await settleUpdate(datasetId);
      }),
  };
}

function expressionOf(labels: readonly InternedLabel[], id: number): string {
  const label = labels[id];
  if (label === undefined) throw new Error('A record has a label that nobody knows.');
  return label.expression;
}

/** Sums the counts of each label, because a label may have several ids. */
function sumByLabel(
  counts: readonly [id: number, count: number][],
  expression: (id: number) => string,
): LabelCounts {
  const sums = new Map<string, number>();
  for (const [id, count] of counts) sums.set(expression(id), (sums.get(expression(id)) ?? 0) + count);
  return sums;
}
