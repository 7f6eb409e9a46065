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
        description: 'The first id to read, unless excludeStartingRecordId; "" means from the start.',
      }),
    ),
    endingRecordId: Type.Optional(
      Type.String({ maxLength: 100, description: 'The last id to read; "" means to the end.' }),
    ),
    excludeStartingRecordId: Type.Optional(
      Type.Boolean({ description: 'Reading begins after startingRecordId.', default: false }),
    ),
    batchSize: count('Records in the answer; absent or 0 means 100000, -1 means all.'),
    limit: count('The same as batchSize. Where both are sent, the smaller counts.'),
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

/** The same ranges as the published Python client reads them. */
export const SplitRanges = strictObject(
  {
    ranges: Type.Array(Type.Tuple([Type.String(), Type.String()]), {
      description: 'The ids of the first and the last record of each range.',
    }),
  },
  { title: 'SplitRanges' },
);

export const bulkReadRoutes = {
  readRange: defineRoute({
    method: 'POST',
    path: '/read',
    operationId: 'readRange',
    runsQuery: true,
    tag: 'Read',
    summary: 'Read a range of record ids',
    description:
      'Answers the records of a range in the order of their ids: both ends are part of it. `more` says whether the range goes on after this answer; read on with lastRecordId as startingRecordId and excludeStartingRecordId.',
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
    summary: 'Ranges for reading a dataset side by side',
    description:
      'Answers ranges of record ids in the order of ids, for /read with batchSize -1. No two share a record, and together they hold every record that the caller saw at that moment; ends are ids of records that the caller sees. Each holds 100,000 of them or, where that makes more than 256 ranges, a 256th of all. The last range ends at the last record of that moment: what is written later has greater ids, and is read with its endRecordId as startingRecordId of /readInSequence. What is being written at that moment may be in no range. A dataset without visible records has no range.',
    caller: 'member',
    params: strictObject({ datasetId: IdParam }),
    success: {
      status: 200,
      description:
        'The ranges; a client whose User-Agent is that of the generated Python client (OpenAPI-Generator/…/python) is answered the object that it reads.',
      schema: Type.Union([Type.Array(Split), SplitRanges]),
    },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'QueryError'],
  }),
} as const;
