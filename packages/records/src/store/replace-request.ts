import { forbidden, RedoubtError } from '@redoubt/errors';
import type { InternedLabel, VisibleLabels } from '@redoubt/labels';
import type { RenderRows } from '../intake/intake.ts';
import type { Updates } from '../intake/prepare-batch.ts';
import type { Replacement, ReplacementsSummary } from '../intake/prepare-replacements.ts';
import type { RowsSummary } from '../intake/prepared-rows.ts';
import { toCounterDeltas, type CounterDelta } from './counters.ts';
import type { OldRecord } from './replaced-records.ts';

export interface ReplaceRequest {
  datasetId: string;
  inserts: RowsSummary;
  updates: Updates;
  /** Prints the rows of the inserts, or of the updates that were prepared last, with a prefix for each label. */
  rowsOf: RenderRows;
  /** A random number from 0 to 2^31 - 1. */
  mark: number;
  /** The ids of the labels of the batch, in its order. */
  labelIds: readonly number[];
  /** Whether records get the label of the write; otherwise they keep theirs. */
  relabels: boolean;
  visible: VisibleLabels;
  /** The labels of the dataset by id. Several ids may have the same expression. */
  labels: readonly InternedLabel[];
  /** Whether the writer may change labels. */
  mayRelabel: boolean;
  steps: ReplacementSteps;
}

/** The steps of a replacement that depend on its writer; `replace` calls them in this order. */
export interface ReplacementSteps {
  /**
   * Maps outdated label ids to the current ids of the same labels. An id is outdated if columns were labelled since it
   * was assigned. Records that keep their label get its current id, as new records do, so readers who started before a
   * column was labelled do not see values that were written to it afterwards.
   */
  currentLabelIds(labelIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Creates the rows of one portion of the updates. */
  prepareRows(
    replacements: readonly Replacement[],
  ): Promise<Pick<ReplacementsSummary, 'rows' | 'carriedPaths'>>;
  /** Called with the changes of the counters right before the write is committed. An error undoes the write. */
  onDecided(changes: readonly CounterDelta[]): Promise<void>;
  /** Called when the write is stored, before anything else may change the dataset. */
  onStored(): Promise<void>;
}

/** The label id of each replaced record after the write, by record id. */
export function labelsAfter(
  { updates, labelIds, relabels }: ReplaceRequest,
  old: readonly OldRecord[],
  currentIds: ReadonlyMap<number, number>,
): ReadonlyMap<string, number> {
  const sent = new Map(updates.recordIds.map((id, order) => [id, labelIds[updates.labels[order] ?? -1]]));
  return new Map(
    old.map(({ id, labelId }) => [
      id,
      (relabels ? sent.get(id) : (currentIds.get(labelId) ?? labelId)) ?? -1,
    ]),
  );
}

/** The expression of a label id. An unknown id stands for itself, so it differs from all others. */
const expressionOf = (
  labels: readonly InternedLabel[],
  id: number | undefined,
): string | number | undefined => labels[id ?? -1]?.expression ?? id;

/** Throws 404 if a record to replace is absent or hidden, and 403 if the writer may not change the label of one. */
export function requireReplaceable(
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
    const [oldLabel, newLabel] = [before.get(id), labelIds[updates.labels[order] ?? -1]];
    if (oldLabel !== newLabel && expressionOf(labels, oldLabel) !== expressionOf(labels, newLabel)) {
      throw forbidden(
        `The record "${id}" would get another label. Changing labels needs the permission to manage the dataset; leave securityLabelInfo out to keep the label.`,
      );
    }
  }
}

export function replacementOf(
  updates: Updates,
  order: number,
  label: number,
): Pick<Replacement, 'recordId' | 'index' | 'label'> {
  const [recordId, index] = [updates.recordIds[order], updates.indexes[order]];
  if (recordId === undefined || index === undefined || label < 0)
    throw new Error('The engine returned a record that the write does not replace.');
  return { recordId, index, label };
}

/**
 * The changes of the counters: each replaced record is subtracted with its old label and fields, and added with the new
 * ones.
 */
export function changesOf(
  request: ReplaceRequest,
  old: readonly OldRecord[],
  codes: readonly (readonly number[])[],
  currentIds: ReadonlyMap<number, number>,
): CounterDelta[] {
  const removed = old.map((record) => ({ labelId: record.labelId, codes: record.codes, count: -1 }));
  const next = labelsAfter(request, old, currentIds);
  const added = old.map(({ id }, at) => ({ labelId: next.get(id) ?? -1, codes: codes[at] ?? [], count: 1 }));
  return [...removed, ...added, ...toCounterDeltas(request.inserts, request.labelIds)];
}
