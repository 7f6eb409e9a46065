import { Type } from 'typebox';
import { BooleanParameter, IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { columnLabelRoutes } from './column-labels.ts';
import { highlight, highlights } from './highlights.ts';
import { recordStreamResponse } from './record-media-types.ts';
import { ColumnSecurityLabels, SecurityLabelInfo } from './security-labels.ts';

/** A JSON object as it was written. */
export const DataRecord = Type.Record(Type.String(), Type.Unknown(), {
  title: 'Record',
  description: 'A JSON object. Responses keep the exact text of its values and the order of its keys.',
});

export const FieldType = Type.Union(
  [
    Type.Literal('bigint'),
    Type.Literal('double precision'),
    Type.Literal('numeric'),
    Type.Literal('boolean'),
    Type.Literal('text'),
    Type.Literal('timestamp'),
    Type.Literal('jsonb'),
  ],
  { title: 'FieldType' },
);

/**
 * Field names may contain line breaks. The default key pattern does not match them, which would drop such fields from
 * responses.
 */
const FieldName = Type.String({ pattern: '^[\\s\\S]*$' });

export const DatasetSchema = Type.Record(FieldName, strictObject({ type: FieldType }), {
  title: 'DatasetSchema',
  description:
    'The fields of the records that are visible to you, by name, with their types. A field with mixed types is text.',
});

export const WriteResponse = strictObject(
  {
    workspace: Type.String({ description: 'The id of the workspace.' }),
    datasetId: Type.String(),
    partitions: Type.Array(Type.Integer()),
    recordsReplaced: Type.Integer({
      description: 'How many records got their label from replacementString.',
    }),
    recordsDropped: Type.Integer({ description: 'How many records the policy drop left out.' }),
  },
  { title: 'WriteResponse' },
);

export const RecordBatch = strictObject(
  {
    records: Type.Array(DataRecord),
    schema: DatasetSchema,
    lastRecordId: nullable(Type.String({ description: 'The id of the last record of this response.' })),
    more: Type.Boolean({ description: 'Whether there are more records after this response.' }),
    total: Type.Integer({
      description: 'How many records are visible to you: those that match, or all of the dataset.',
    }),
  },
  { title: 'RecordBatch' },
);

export const SearchResult = strictObject(
  {
    ...RecordBatch.properties,
    total: nullable(
      Type.Integer({
        description: 'How many matching records are visible to you; null if countTotal is false.',
      }),
    ),
    highlights,
  },
  { title: 'SearchResult' },
);

export const credentialsSubset = Type.Optional(
  nullable(
    Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: 10_000,
      description:
        'Tokens of the attributes to read with, out of those that you hold: all if absent, none if empty.',
    }),
  ),
);
export const includeInternalFields = Type.Optional(
  Type.Boolean({
    description:
      'Adds _koverse_record_id, _koverse_dataset_id, _koverse_timestamp and _koverse_security_label to each record.',
  }),
);
export const includeInternalRecordId = Type.Optional(
  Type.Boolean({ description: 'Adds _koverse_record_id to each record.' }),
);
export const searchId = Type.Optional(
  nullable(
    Type.String({
      maxLength: 200,
      description: 'Your name for this query. DELETE /query/{searchId} cancels it while it runs.',
    }),
  ),
);

export const countTotal = Type.Optional(
  Type.Boolean({
    default: true,
    description:
      'If false, matches are not counted: total is null, and the response comes sooner. more is exact in both cases.',
  }),
);

/**
 * The maximum count of records in a request. The server reads one record more than the count, so one more must be a
 * safe integer.
 */
export const maxCount = Number.MAX_SAFE_INTEGER - 1;

export const LuceneQuery = strictObject(
  {
    datasetId: IdParam,
    expression: Type.String({
      description:
        'A Lucene expression, plain or percent-encoded: `word`, `"a phrase"`, `field:word`, `outer.inner:word`, `field:(a OR b)`, `wild*`, `w?ld`, `/reg.*/`, `field:[1 TO 5]`, `field:{1 TO 5}`, `field:>=5`, `field:*` (the field exists), `*:*` (all records). Combine terms with AND, OR and NOT in capitals, `&&`, `||`, `!`, `+`, `-` and parentheses; terms side by side mean OR. Words match in any letter case, field names exactly. Escape special characters with a backslash or double quotes: `field:"REGION:EU"`. Boosts have no effect, and `~` is not supported.',
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: maxCount,
        description: 'Records to return: 10 if absent or 0, all if -1.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxCount, description: 'Matches to skip.', default: 0 }),
    ),
    orderedResults: Type.Optional(
      Type.Boolean({ description: 'Has no effect: records are always in the order of their ids.' }),
    ),
    countTotal,
    credentialsSubset,
    includeInternalFields,
    includeInternalRecordId,
    searchId,
  },
  { title: 'LuceneQuery' },
);

/** The body of a search, which may ask for highlights. Exports and searches of documents take a `LuceneQuery`. */
export const LuceneSearch = strictObject(
  { ...LuceneQuery.properties, highlight },
  {
    title: 'LuceneSearch',
    examples: [
      {
        datasetId: '896724b2-bc5e-4e65-9965-a6d9c89a6c1c',
        expression: 'type:VOR AND elevation_ft:[3000 TO *]',
        limit: 3,
      },
    ],
  },
);

export const SequenceRead = strictObject(
  {
    datasetId: IdParam,
    startingRecordId: Type.Optional(
      Type.String({ maxLength: 100, description: 'Reading starts after this id; "" reads from the start.' }),
    ),
    endingRecordId: Type.Optional(
      Type.String({ maxLength: 100, description: 'The last id to read; "" reads to the end.' }),
    ),
    batchSize: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: maxCount,
        description: 'Records to return: 100000 if absent or 0, all if -1.',
      }),
    ),
    credentialsSubset,
    includeInternalFields,
    includeInternalRecordId,
    searchId,
  },
  { title: 'SequenceRead' },
);

const datasetParams = strictObject({ datasetId: IdParam });
const isAsync = strictObject({
  isAsync: BooleanParameter(
    'If true, the response may come up to a second before readers see the records. They are durable in both cases.',
  ),
});
export const internalFlag = strictObject({
  includeInternalFields: BooleanParameter('The same as in the body.'),
});
const writeErrors = ['AuthError', 'ForbiddenError', 'NotFoundError', 'SecurityError'] as const;

export const recordRoutes = {
  writeRecords: defineRoute({
    method: 'POST',
    path: '/write/{datasetId}',
    operationId: 'writeRecords',
    tag: 'Write',
    summary: 'Write records without labels',
    description:
      'The body is an array of JSON objects, plain or gzip. Either all records are stored or none. New records have no label, so everyone who may read the dataset sees them. A record with _koverse_record_id replaces that record and keeps its label. Other fields that begin with _koverse_ are dropped; _koverse_security_label sets no label.',
    caller: 'member',
    params: datasetParams,
    query: isAsync,
    body: Type.Array(DataRecord),
    rawBody: true,
    success: { status: 200, description: 'All records are durable.', schema: WriteResponse },
    errors: writeErrors,
  }),
  writeRecordsV2: defineRoute({
    method: 'POST',
    path: '/v2/write/{datasetId}',
    operationId: 'writeRecordsV2',
    tag: 'Write',
    summary: 'Write records with security labels',
    description:
      'Works like /write, but securityLabelInfo decides how each record gets its label. Without it, new records have no label. columnSecurityLabelInfo adds labels to columns for all records of the dataset before these records are stored; readers must satisfy them as well as existing ones. A replaced record keeps the columns that are hidden from you.',
    caller: 'member',
    params: datasetParams,
    query: isAsync,
    body: strictObject(
      {
        records: Type.Array(DataRecord),
        securityLabelInfo: Type.Optional(nullable(SecurityLabelInfo)),
        columnSecurityLabelInfo: Type.Optional(nullable(ColumnSecurityLabels)),
      },
      {
        examples: [
          {
            records: [{ note: 'Runway 09 closed', access: 'REGION:EU' }],
            securityLabelInfo: {
              fields: ['access'],
              parserClassName: 'identity-parser',
              labelHandlingPolicy: 'drop',
            },
          },
        ],
      },
    ),
    rawBody: true,
    success: { status: 200, description: 'All records are durable.', schema: WriteResponse },
    errors: writeErrors,
  }),
  ...columnLabelRoutes,
  queryLucene: defineRoute({
    method: 'POST',
    path: '/query/lucene',
    operationId: 'queryLucene',
    runsQuery: true,
    tag: 'Query',
    summary: 'Search the records of a dataset',
    description: 'Returns the records that match a Lucene expression, in the order of their ids.',
    caller: 'member',
    query: internalFlag,
    body: LuceneSearch,
    success: recordStreamResponse('The matching records.', SearchResult),
    errors: [
      'AuthError',
      'ForbiddenError',
      'NotFoundError',
      'LuceneParseError',
      'MissingIndexError',
      'QueryError',
    ],
  }),
  readInSequence: defineRoute({
    method: 'POST',
    path: '/readInSequence',
    operationId: 'readInSequence',
    runsQuery: true,
    tag: 'Read',
    summary: 'Read a dataset from start to end',
    description:
      'Send lastRecordId of each response as startingRecordId of the next request, until more is false.',
    caller: 'member',
    query: internalFlag,
    body: SequenceRead,
    success: recordStreamResponse('The next records.', RecordBatch),
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'QueryError'],
  }),
  getDatasetSchema: defineRoute({
    method: 'GET',
    path: '/query/schema',
    operationId: 'getDatasetSchema',
    tag: 'Query',
    summary: 'Get the fields of a dataset',
    description: 'Returns the fields of the records that are visible to you, with their types.',
    caller: 'member',
    query: strictObject({
      datasetId: IdParam,
      includeSecurityField: BooleanParameter('Adds _koverse_security_label.'),
      includeNestedFields: BooleanParameter('Adds the fields inside objects, as dotted paths.'),
      includeInternalFields: BooleanParameter(
        'Adds _koverse_record_id, _koverse_dataset_id and _koverse_timestamp.',
      ),
    }),
    success: { status: 200, description: 'The fields by name.', schema: DatasetSchema },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;
