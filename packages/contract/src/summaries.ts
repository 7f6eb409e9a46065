import { Type } from 'typebox';
import { IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { credentialsSubset, DataRecord, searchId } from './records.ts';

/** Records of each dataset in a summary, at most. */
export const maxSummaryRecords = 100;

const datasetIds = Type.Optional(
  nullable(
    Type.Array(IdParam, {
      maxItems: 10_000,
      description: 'The datasets to look into; absent means all that the caller may read.',
    }),
  ),
);
const limit = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: maxSummaryRecords,
    description: 'Records of each dataset in the answer; absent or 0 means 10.',
  }),
);

export const SqlSummary = strictObject(
  {
    expression: Type.String({
      description:
        'One SELECT of PostgreSQL, plain or percent-encoded. The table name `dataset` in it stands for each dataset in turn; there is no other.',
    }),
    datasetIds,
    limit,
    credentialsSubset,
    searchId,
  },
  { title: 'SqlSummary', examples: [{ expression: 'SELECT * FROM dataset WHERE priority > 5', limit: 3 }] },
);

export const LuceneSummary = strictObject(
  {
    expression: Type.String({ description: 'A query in the Lucene syntax, as of /query/lucene.' }),
    datasetIds,
    limit,
    credentialsSubset,
    searchId,
  },
  { title: 'LuceneSummary', examples: [{ expression: 'runway AND closed', limit: 3 }] },
);

export const DatasetSummaries = Type.Array(
  strictObject(
    {
      datasetId: Type.String(),
      name: Type.String({ description: 'The name of the dataset.' }),
      total: Type.Integer({ description: 'Its matches that the caller sees.' }),
      records: Type.Array(DataRecord, { description: 'The first of them.' }),
    },
    { title: 'DatasetSummary' },
  ),
  { title: 'DatasetSummaries' },
);

const tag = 'Query';
const success = {
  status: 200 as const,
  description: 'The datasets with matches, by name.',
  schema: DatasetSummaries,
  streamed: true,
};

export const summaryRoutes = {
  summarizeSql: defineRoute({
    method: 'POST',
    path: '/query/datasets/summary',
    operationId: 'summarizeSql',
    runsQuery: true,
    tag,
    summary: 'Query many datasets with SQL',
    description:
      'Runs one statement for each dataset, and answers how many rows it gives there and the first of them. A dataset that the statement does not fit, because it has no such field or one of another type, is left out; where it fits none, the answer is the error. An id in datasetIds that the caller may not read is an error.',
    caller: 'member',
    body: SqlSummary,
    success,
    errors: [
      'AuthError',
      'ForbiddenError',
      'NotFoundError',
      'QueryError',
      'SqlParseError',
      'TableNotFoundError',
    ],
  }),
  summarizeLucene: defineRoute({
    method: 'POST',
    path: '/query/lucene/datasets/summary',
    operationId: 'summarizeLucene',
    runsQuery: true,
    tag,
    summary: 'Search many datasets',
    description:
      'Answers how many records of each dataset match, and the first of them. Where the search has a term without a field, datasets that do not take such a search are left out; it is an error where datasetIds names one. An id in datasetIds that the caller may not read is an error.',
    caller: 'member',
    body: LuceneSummary,
    success,
    errors: [
      'AuthError',
      'ForbiddenError',
      'NotFoundError',
      'LuceneParseError',
      'MissingIndexError',
      'QueryError',
    ],
  }),
} as const;
