import { Type } from 'typebox';
import { IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { highlight, highlights } from './highlights.ts';
import { credentialsSubset, DataRecord, includeInternalRecordId, searchId } from './records.ts';

/** The maximum number of records of each dataset in a summary. */
export const maxSummaryRecords = 100;

const datasetIds = Type.Optional(
  nullable(
    Type.Array(IdParam, {
      maxItems: 10_000,
      description: 'The datasets to search; all that you may read if absent.',
    }),
  ),
);
const limit = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: maxSummaryRecords,
    description: 'Records to return for each dataset: 10 if absent or 0.',
  }),
);

export const SqlSummary = strictObject(
  {
    expression: Type.String({
      description:
        'One SELECT statement in the dialect of PostgreSQL, plain or percent-encoded. Its only table is `dataset`, which stands for each dataset in turn.',
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
    expression: Type.String({ description: 'A Lucene expression, as in /query/lucene.' }),
    datasetIds,
    limit,
    credentialsSubset,
    searchId,
    highlight,
    includeInternalRecordId,
  },
  { title: 'LuceneSummary', examples: [{ expression: 'runway AND closed', limit: 3 }] },
);

export const DatasetSummaries = Type.Array(
  strictObject(
    {
      datasetId: Type.String(),
      name: Type.String({ description: 'The name of the dataset.' }),
      total: Type.Integer({ description: 'How many matches in the dataset are visible to you.' }),
      records: Type.Array(DataRecord, { description: 'The first matches.' }),
      highlights,
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

/** One query over many datasets, which returns only the first matches of each. */
export const summaryRoutes = {
  summarizeSql: defineRoute({
    method: 'POST',
    path: '/query/datasets/summary',
    operationId: 'summarizeSql',
    runsQuery: true,
    tag,
    summary: 'Query many datasets with SQL',
    description:
      'Runs one statement on each dataset and returns the number of rows and the first rows for each. Datasets without the fields of the statement, or with other types, are left out; if none is left, the response is the error. If you may not read a dataset in datasetIds, you get an error.',
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
      'Returns the number of matching records and the first matches for each dataset. If the expression has a term without a field, datasets with searchAnyField off are left out, or cause an error if datasetIds names them. If you may not read a dataset in datasetIds, you get an error.',
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
