import { recordColumns } from '@redoubt/query';
import { firstArrivingLabel } from './arriving-records.ts';

/**
 * Records that arrive over a longer time, to be shown all at once, have labels from here on, which nobody satisfies. Each
 * group of such records has a slot of the dataset with a range of labels of its own.
 */
const firstStagedLabel = firstArrivingLabel + 2 ** 30;
const labelsOfSlot = 2 ** 24;

/** Slots of a dataset: as many groups of records can arrive at the same time. */
export const stagingSlots = 64;

/** The label of a record in a slot, by the label that it gets when it is shown. */
export function stagedLabel(slot: number, labelId: number): number {
  if (slot >= stagingSlots || labelId >= labelsOfSlot) throw new Error('A staged label is out of its range.');
  return firstStagedLabel + slot * labelsOfSlot + labelId;
}

/** The label that a record of a slot gets when it is shown. */
export const shownLabel = (slot: number, staged: number): number => staged - stagedLabel(slot, 0);

/** The condition for all records of a slot. */
export const isStagedIn = (slot: number): string => {
  const first = stagedLabel(slot, 0);
  return `${recordColumns.labelId} >= ${String(first)} AND ${recordColumns.labelId} < ${String(first + labelsOfSlot)}`;
};
