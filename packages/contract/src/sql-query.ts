import { Type } from 'typebox';
import { IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { recordStreamResponse } from './record-media-types.ts';
import {
  countTotal,
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
          'The id of a dataset that you may read. It has no other effect, because the statement names its datasets.',
      }),
    ),
    expression: Type.String({
      description:
        'One SELECT statement in the dialect of PostgreSQL, plain or percent-encoded. Name a dataset by its id in double quotes, or by its name if you may read only one dataset of that name. Name a field inside an object as `outer.inner`. `SELECT *` from one dataset returns records as they were written; other selections return typed values.',
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: maxCount,
        description: 'Rows to return from the result of the statement: 10 if absent or 0, all if -1.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxCount, description: 'Rows to skip.', default: 0 }),
    ),
    orderedResults: Type.Optional(
      Type.Boolean({
        description:
          'Has no effect: without ORDER BY in the statement, rows are always in the order of their record ids.',
      }),
    ),
    countTotal,
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

/** Column names may contain line breaks, which the default key pattern does not match. */
const ColumnName = Type.String({ pattern: '^[\\s\\S]*$' });

export const SqlResult = strictObject(
  {
    records: Type.Array(DataRecord),
    schema: Type.Record(ColumnName, strictObject({ type: Type.String() }), {
      title: 'SqlSchema',
      description: 'The columns by name, with their PostgreSQL types.',
    }),
    lastRecordId: nullable(
      Type.String({
        description: 'The id of the last record of this response, if it contains whole records.',
      }),
    ),
    more: Type.Boolean({ description: 'Whether there are more rows after this response.' }),
    total: nullable(
      Type.Integer({ description: 'How many rows the statement returns; null if countTotal is false.' }),
    ),
  },
  { title: 'SqlResult' },
);

export const RunningQuery = strictObject(
  {
    searchId: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The searchId of the query.',
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
      'Cancels your running queries of /query and /query/lucene with this searchId. Each of them returns QueryError (400) or, if its response has begun, breaks off. If you have no running query with this searchId, you get 404.',
    caller: 'member',
    params: RunningQuery,
    success: { status: 200, description: 'The canceled query.', schema: RunningQuery },
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
      'Returns the rows of one SELECT statement in the dialect of PostgreSQL. A statement that cannot be parsed or is not supported returns SqlParseError (400), which says what, where, and what to write instead. If PostgreSQL would fail because of a value in a row (a division by zero, a number that is too large), the value is null.',
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
