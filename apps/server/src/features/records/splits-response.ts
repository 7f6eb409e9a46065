import type { ResponseOf, routes } from '@redoubt/contract';

/** How the client that is generated for Python, and published with the connector, names itself. */
const generatedPython = /^OpenAPI-Generator\/[^/]+\/python\b/;

type Splits = readonly { startRecordId: string; endRecordId: string }[];

/** Splits in the form that the client reads: the published Python client fails on a list. */
export const toSplitsResponse = (
  userAgent: string | undefined,
  splits: Splits,
): ResponseOf<typeof routes.getSplits> =>
  userAgent !== undefined && generatedPython.test(userAgent)
    ? { ranges: splits.map(({ startRecordId, endRecordId }) => [startRecordId, endRecordId]) }
    : [...splits];
