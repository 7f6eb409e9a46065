import type { ResponseOf, routes } from '@redoubt/contract';

/** The User-Agent of the generated Python client that is published with the connector. */
const generatedPython = /^OpenAPI-Generator\/[^/]+\/python\b/;

type Splits = readonly { startRecordId: string; endRecordId: string }[];

/** Formats splits for the client: the published Python client expects an object and fails on a list. */
export const toSplitsResponse = (
  userAgent: string | undefined,
  splits: Splits,
): ResponseOf<typeof routes.getSplits> =>
  userAgent !== undefined && generatedPython.test(userAgent)
    ? { ranges: splits.map(({ startRecordId, endRecordId }) => [startRecordId, endRecordId]) }
    : [...splits];
