import { Type } from 'typebox';
import { IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { internalFlag, LuceneQuery, RecordBatch } from './records.ts';
import { SqlQuery } from './sql-query.ts';

const recordIds = Type.Optional(
  nullable(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 5000,
      description:
        'Returns the records with these ids instead of evaluating the expression. Has no effect if absent, null or empty.',
    }),
  ),
);
const documentFields =
  'A document consists of the records with the same text in `document_id`: one record for each page, or for each row of a table. Each record has these further fields: `documentRowId`, the id of the record; `documentConversionType`: VIDEO_PREVIEW, PDF_PREVIEW, IMAGE_PREVIEW or NONE; `previewBytes`, the preview of the first page in base64 in the record of that page, otherwise null.';

const { expression: sqlExpression, ...sqlFields } = SqlQuery.properties;
const { expression: luceneExpression, ...luceneFields } = LuceneQuery.properties;

export const DocumentSqlQuery = strictObject(
  { ...sqlFields, expression: Type.Optional(sqlExpression), recordIds },
  {
    title: 'DocumentSqlQuery',
    examples: [{ expression: 'SELECT * FROM "Reports" WHERE page = 1', limit: 3 }],
  },
);

export const DocumentLuceneQuery = strictObject(
  { ...luceneFields, datasetId: IdParam, expression: Type.Optional(luceneExpression), recordIds },
  {
    title: 'DocumentLuceneQuery',
    examples: [{ datasetId: '896724b2-bc5e-4e65-9965-a6d9c89a6c1c', expression: 'text:runway', limit: 3 }],
  },
);

const tag = 'Documents';
const success = {
  status: 200 as const,
  description: 'The matching records of documents.',
  schema: RecordBatch,
  streamed: true,
};

export const documentQueryRoutes = {
  queryDocuments: defineRoute({
    method: 'POST',
    path: '/query/document',
    operationId: 'queryDocuments',
    runsQuery: true,
    tag,
    summary: 'Query documents with SQL',
    description: `Works like /query, but only on records of documents. The statement must return whole records (\`SELECT *\` from one dataset). With recordIds you must send datasetId. ${documentFields}`,
    caller: 'member',
    query: internalFlag,
    body: DocumentSqlQuery,
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
  queryDocumentsLucene: defineRoute({
    method: 'POST',
    path: '/query/document/lucene',
    operationId: 'queryDocumentsLucene',
    runsQuery: true,
    tag,
    summary: 'Search documents',
    description: `Works like /query/lucene, but only on records of documents. ${documentFields}`,
    caller: 'member',
    query: internalFlag,
    body: DocumentLuceneQuery,
    success,
    errors: [
      'AuthError',
      'ForbiddenError',
      'NotFoundError',
      'LuceneParseError',
      'MissingIndexError',
      'QueryError',
      'SqlParseError',
    ],
  }),
} as const;
