import type { ResponseOf, routes } from '@redoubt/contract';

type Splits = readonly { startRecordId: string; endRecordId: string }[];

/** Formats splits for the client: the published Python client expects an object and fails on a list. */
export const toSplitsResponse = (
  isGeneratedPython: boolean,
  splits: Splits,
): ResponseOf<typeof routes.getSplits> =>
  isGeneratedPython
    ? { ranges: splits.map(({ startRecordId, endRecordId }) => [startRecordId, endRecordId]) }
    : [...splits];
