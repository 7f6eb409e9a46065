import { Type } from 'typebox';
import { BooleanParameter, IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { recordStreamResponse } from './record-media-types.ts';
import { ColumnSecurityLabels, SecurityLabelInfo } from './security-labels.ts';

/** A JSON object, as the writer gave it. */
export const DataRecord = Type.Record(Type.String(), Type.Unknown(), {
  title: 'Record',
  description: 'A JSON object. It is answered with the exact text of its values and the order of its keys.',
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

/** Field names may hold line breaks, which the pattern of a plain text key leaves out: they would not be answered. */
const FieldName = Type.String({ pattern: '^[\\s\\S]*$' });

export const DatasetSchema = Type.Record(FieldName, strictObject({ type: FieldType }), {
  title: 'DatasetSchema',
  description:
    'The fields of the records that the caller sees, by name, each with its type; a field of mixed types is text.',
});

export const WriteResponse = strictObject(
  {
    workspace: Type.String({ description: 'The id of the workspace.' }),
    datasetId: Type.String(),
    partitions: Type.Array(Type.Integer()),
    recordsReplaced: Type.Integer({ description: 'Records whose label came from replacementString.' }),
    recordsDropped: Type.Integer({ description: 'Records that the policy drop left out.' }),
  },
  { title: 'WriteResponse' },
);

export const RecordBatch = strictObject(
  {
    records: Type.Array(DataRecord),
    schema: DatasetSchema,
    lastRecordId: nullable(Type.String({ description: 'The id of the last record of this answer.' })),
    more: Type.Boolean({ description: 'Whether there is more after this answer.' }),
    total: Type.Integer({
      description: 'How many records the caller sees: those that match, or the dataset.',
    }),
  },
  { title: 'RecordBatch' },
);

export const credentialsSubset = Type.Optional(
  nullable(
    Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: 10_000,
      description:
        'Attribute tokens to read with, out of those that the caller holds: absent means all, an empty list none.',
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
      description: 'Your name for this query, by which DELETE /query/{searchId} cancels it while it runs.',
    }),
  ),
);

/** The largest count that leaves room to look for one record more. */
export const maxCount = Number.MAX_SAFE_INTEGER - 1;

export const LuceneQuery = strictObject(
  {
    datasetId: IdParam,
    expression: Type.String({
      description:
        'A query in the Lucene syntax, plain or percent-encoded: `word`, `"a phrase"`, `field:word`, `outer.inner:word`, `field:(a OR b)`, `wild*`, `w?ld`, `/reg.*/`, `field:[1 TO 5]`, `field:{1 TO 5}`, `field:>=5`, `field:*` (it is there), `*:*` (everything), joined by AND, OR and NOT in capitals, `&&`, `||`, `!`, `+`, `-` and parentheses. Terms side by side mean OR. Words match in any case, field names exactly. A backslash or double quotes take the meaning from a character: `field:"REGION:EU"`. Boosts change nothing; `~` is refused.',
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: maxCount,
        description: 'Records in the answer; absent or 0 means 10, -1 means all.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxCount, description: 'Matches to pass over.', default: 0 }),
    ),
    orderedResults: Type.Optional(
      Type.Boolean({ description: 'By record id. Answers are always in that order.' }),
    ),
    credentialsSubset,
    includeInternalFields,
    includeInternalRecordId,
    searchId,
  },
  {
    title: 'LuceneQuery',
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
      Type.String({ maxLength: 100, description: 'Reading begins after this id; "" means from the start.' }),
    ),
    endingRecordId: Type.Optional(
      Type.String({ maxLength: 100, description: 'The last id to read; "" means to the end.' }),
    ),
    batchSize: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: maxCount,
        description: 'Records in the answer; absent or 0 means 100000, -1 means all.',
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
    'True may answer up to a second before readers see the records. Durable either way.',
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
      'The body is an array of JSON objects, plain or gzip. All are stored or none. New records have no label: whoever may read the dataset sees them. A record that carries _koverse_record_id replaces that record and keeps its label; other fields that begin with _koverse_ are dropped, and so _koverse_security_label labels nothing.',
    caller: 'member',
    params: datasetParams,
    query: isAsync,
    body: Type.Array(DataRecord),
    rawBody: true,
    success: { status: 200, description: 'Every record is durable.', schema: WriteResponse },
    errors: writeErrors,
  }),
  writeRecordsV2: defineRoute({
    method: 'POST',
    path: '/v2/write/{datasetId}',
    operationId: 'writeRecordsV2',
    tag: 'Write',
    summary: 'Write records with security labels',
    description:
      'Like /write, with securityLabelInfo saying how each record gets its label; without it, new records have none. columnSecurityLabelInfo adds to the labels of columns, for all records of the dataset and before these are stored: readers must satisfy them beside those that are there. A replaced record keeps the columns that the writer does not see.',
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
    success: { status: 200, description: 'Every record is durable.', schema: WriteResponse },
    errors: writeErrors,
  }),
  patchColumnSecurity: defineRoute({
    method: 'PATCH',
    path: '/write/schema/{datasetId}',
    operationId: 'patchColumnSecurity',
    tag: 'Write',
    summary: 'Change the labels of columns',
    description:
      'Labels that the caller satisfies give way to the new ones, or to none where the new one is empty. A label that the caller does not satisfy stays, and readers must satisfy the new one beside it. The answer says what was asked for; it tells nothing of labels that were there. Columns that no record has yet can be labelled, too.',
    caller: 'member',
    bearer: true,
    params: datasetParams,
    body: ColumnSecurityLabels,
    rawBody: true,
    success: {
      status: 201,
      description: 'The labels count from the next request on.',
      schema: ColumnSecurityLabels,
    },
    errors: writeErrors,
  }),
  queryLucene: defineRoute({
    method: 'POST',
    path: '/query/lucene',
    operationId: 'queryLucene',
    runsQuery: true,
    tag: 'Query',
    summary: 'Search the records of a dataset',
    description: 'Answers the records that match a Lucene expression, in the order of their ids.',
    caller: 'member',
    query: internalFlag,
    body: LuceneQuery,
    success: recordStreamResponse('The matches.', RecordBatch),
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
    description: 'Send lastRecordId of one answer as startingRecordId of the next, until more is false.',
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
    summary: 'The fields of a dataset',
    description: 'Learnt from the records that the caller sees.',
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
