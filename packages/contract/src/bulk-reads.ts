import { Type } from 'typebox';
import { IdParam, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { recordStreamResponse } from './record-media-types.ts';
import {
  credentialsSubset,
  includeInternalFields,
  includeInternalRecordId,
  internalFlag,
  maxCount,
  RecordBatch,
  searchId,
} from './records.ts';

const count = (description: string) =>
  Type.Optional(Type.Integer({ minimum: -1, maximum: maxCount, description }));

export const RangeRead = strictObject(
  {
    datasetId: IdParam,
    startingRecordId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The first id to read; excludeStartingRecordId leaves it out. "" reads from the start.',
      }),
    ),
    endingRecordId: Type.Optional(
      Type.String({ maxLength: 100, description: 'The last id to read; "" reads to the end.' }),
    ),
    excludeStartingRecordId: Type.Optional(
      Type.Boolean({ description: 'Whether reading starts after startingRecordId.', default: false }),
    ),
    batchSize: count('Records to return: 100000 if absent or 0, all if -1.'),
    limit: count('The same as batchSize. If you send both, the smaller one counts.'),
    credentialsSubset,
    includeInternalFields,
    includeInternalRecordId,
    searchId,
  },
  { title: 'RangeRead' },
);

export const Split = strictObject(
  {
    startRecordId: Type.String({ description: 'The id of the first record of the range.' }),
    endRecordId: Type.String({ description: 'The id of the last record of the range.' }),
  },
  { title: 'Split' },
);

/** The same ranges in the form that the published Python client expects. */
export const SplitRanges = strictObject(
  {
    ranges: Type.Array(Type.Tuple([Type.String(), Type.String()]), {
      description: 'The ids of the first and the last record of each range.',
    }),
  },
  { title: 'SplitRanges' },
);

/** For programs that read a whole dataset in parallel: `getSplits` returns ranges, and `readRange` reads one. */
export const bulkReadRoutes = {
  readRange: defineRoute({
    method: 'POST',
    path: '/read',
    operationId: 'readRange',
    runsQuery: true,
    tag: 'Read',
    summary: 'Read a range of record ids',
    description:
      'Returns the records of a range in the order of their ids, including both ends. If `more` is true, continue with lastRecordId as startingRecordId and excludeStartingRecordId.',
    caller: 'member',
    query: internalFlag,
    body: RangeRead,
    success: recordStreamResponse('The records.', RecordBatch),
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'QueryError'],
  }),
  getSplits: defineRoute({
    method: 'GET',
    path: '/splits/{datasetId}',
    operationId: 'getSplits',
    runsQuery: true,
    tag: 'Read',
    summary: 'Split a dataset into ranges for parallel reads',
    description:
      'Returns ranges of record ids in order, for /read with batchSize -1. Ranges do not overlap, and together they contain every record that is visible to you now. Each contains 100,000 records, or one 256th of all if there would be more than 256 ranges. Records that are written later have greater ids: read them with /readInSequence, starting at the endRecordId of the last range. Records that are being written now may be in no range. A dataset without visible records has no ranges.',
    caller: 'member',
    params: strictObject({ datasetId: IdParam }),
    success: {
      status: 200,
      description:
        'The ranges. The generated Python client (User-Agent OpenAPI-Generator/…/python) gets the object that it expects.',
      schema: Type.Union([Type.Array(Split), SplitRanges]),
    },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'QueryError'],
  }),
} as const;
