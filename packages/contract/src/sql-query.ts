import { Type } from 'typebox';
import { IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { recordStreamResponse } from './record-media-types.ts';
import {
  credentialsSubset,
  DataRecord,
  includeInternalFields,
  includeInternalRecordId,
  internalFlag,
  maxCount,
  searchId,
} from './records.ts';

export const SqlQuery = strictObject(
  {
    datasetId: Type.Optional(
      nullable({
        ...IdParam,
        description:
          'A dataset that the caller may read. It changes nothing else: the statement names what it reads.',
      }),
    ),
    expression: Type.String({
      description:
        'One SELECT of PostgreSQL, plain or percent-encoded. A dataset stands in it by its id in double quotes, or by its name where the caller may read just one of that name; a field inside an object as `outer.inner`. `SELECT *` out of one dataset gives records as they were written; other selections give typed values.',
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: maxCount,
        description:
          'Rows in the answer, of those that the statement gives; absent or 0 means 10, -1 means all.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxCount, description: 'Rows to pass over.', default: 0 }),
    ),
    orderedResults: Type.Optional(
      Type.Boolean({
        description:
          'By record id. Rows that the statement does not put into an order of its own are always in that of their records.',
      }),
    ),
    credentialsSubset,
    includeInternalFields,
    includeInternalRecordId,
    searchId,
  },
  {
    title: 'SqlQuery',
    examples: [
      {
        expression:
          'SELECT type, count(*) AS aids, max(elevation_ft) AS highest FROM navaids GROUP BY type ORDER BY aids DESC',
        limit: 3,
      },
    ],
  },
);

/** Names of columns may hold line breaks, which the pattern of a plain text key leaves out. */
const ColumnName = Type.String({ pattern: '^[\\s\\S]*$' });

export const SqlResult = strictObject(
  {
    records: Type.Array(DataRecord),
    schema: Type.Record(ColumnName, strictObject({ type: Type.String() }), {
      title: 'SqlSchema',
      description: 'The columns by name, each with its type of PostgreSQL.',
    }),
    lastRecordId: nullable(
      Type.String({ description: 'The id of the last record of this answer, where it holds whole records.' }),
    ),
    more: Type.Boolean({ description: 'Whether there are more rows after this answer.' }),
    total: Type.Integer({ description: 'How many rows the statement gives.' }),
  },
  { title: 'SqlResult' },
);

export const RunningQuery = strictObject(
  {
    searchId: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The name that the request of the query gave as searchId.',
    }),
  },
  { title: 'RunningQuery' },
);

export const sqlRoutes = {
  cancelQuery: defineRoute({
    method: 'DELETE',
    path: '/query/{searchId}',
    operationId: 'cancelQuery',
    staysOpen: true,
    tag: 'Query',
    summary: 'Cancel a running query',
    description:
      'Stops the queries of /query and /query/lucene that the caller sent with this searchId and that still run, and answers the name. Each of them is answered QueryError (400) or, where its answer has begun, breaks off. 404 where none of that name runs: it has ended, or it is not the caller’s.',
    caller: 'member',
    params: RunningQuery,
    success: { status: 200, description: 'What was cancelled.', schema: RunningQuery },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
  query: defineRoute({
    method: 'POST',
    path: '/query',
    operationId: 'query',
    runsQuery: true,
    tag: 'Query',
    summary: 'Query datasets with SQL',
    description:
      'Answers the rows of one SELECT in the dialect of PostgreSQL. What does not parse or is not supported is SqlParseError (400), which says what, where, and what to write instead. Where PostgreSQL would stop because of the value in a row (a division by zero, a number that is too large) the value is null.',
    caller: 'member',
    query: internalFlag,
    body: SqlQuery,
    success: recordStreamResponse('The rows.', SqlResult),
    errors: [
      'AuthError',
      'ForbiddenError',
      'NotFoundError',
      'QueryError',
      'SqlParseError',
      'TableNotFoundError',
    ],
  }),
} as const;
