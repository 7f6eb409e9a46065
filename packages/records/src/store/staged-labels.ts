import { recordColumns } from '@redoubt/query';
import { firstArrivingLabel } from './arriving-records.ts';

/**
 * The first label id of staged records, which arrive over a longer time and become visible all at once. Nobody
 * satisfies these labels. Each group of staged records has a slot of the dataset, and each slot has its own range of
 * label ids.
 */
const firstStagedLabel = firstArrivingLabel + 2 ** 30;
const labelsOfSlot = 2 ** 24;

/** How many slots a dataset has, and so how many groups of records can arrive at the same time. */
export const stagingSlots = 64;

/**
 * The label id that a record has while it is in a slot.
 * @param labelId the label id that it gets when it becomes visible
 */
export function stagedLabel(slot: number, labelId: number): number {
  if (slot >= stagingSlots || labelId >= labelsOfSlot) throw new Error('A staged label is out of its range.');
  return firstStagedLabel + slot * labelsOfSlot + labelId;
}

/** The label id that a staged record gets when it becomes visible; the inverse of `stagedLabel`. */
export const shownLabel = (slot: number, staged: number): number => staged - stagedLabel(slot, 0);

/** The condition for all records of a slot. */
export const isStagedIn = (slot: number): string => {
  const first = stagedLabel(slot, 0);
  return `${recordColumns.labelId} >= ${String(first)} AND ${recordColumns.labelId} < ${String(first + labelsOfSlot)}`;
};
