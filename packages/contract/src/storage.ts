import { Type, type Static } from 'typebox';
import { strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { Job } from './jobs.ts';

const mostIds = 10_000;

const RecordIds = Type.Array(Type.String({ maxLength: 200 }), {
  maxItems: mostIds,
  description: `The ids of records (\`_koverse_record_id\`), at most ${mostIds}. Those that the caller does not see are passed over.`,
});
const Query = Type.String({
  minLength: 1,
  description: 'A Lucene expression, plain or percent-encoded, as /query/lucene takes it.',
});

export const RecordDeletion = strictObject(
  {
    recordIds: RecordIds,
    deleteAll: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'With an empty list of ids: deletes every record that the caller sees, and no other.',
      }),
    ),
  },
  {
    title: 'RecordDeletion',
    examples: [{ recordIds: ['0198a5b2-7c1e-7a31-9d20-5e0f6a1b2c3d'] }, { recordIds: [], deleteAll: true }],
  },
);
export type RecordDeletion = Static<typeof RecordDeletion>;

export const QueryDeletion = strictObject(
  { query: Query },
  { title: 'QueryDeletion', examples: [{ query: 'status:void AND year:[* TO 1999]' }] },
);
export type QueryDeletion = Static<typeof QueryDeletion>;

export const Relabelling = strictObject(
  {
    label: Type.String({
      minLength: 1,
      description:
        'The new label, as in `A&(B|C)`. The caller need not satisfy it; attributes that the workspace does not have yet are made, held by nobody.',
    }),
    recordIds: Type.Optional(RecordIds),
    query: Type.Optional(Query),
  },
  {
    title: 'Relabelling',
    description: 'Which records get which label: either recordIds or query says which.',
    examples: [{ label: 'SECRET&(EU|UK)', query: 'source:cable' }],
  },
);
export type Relabelling = Static<typeof Relabelling>;

const params = strictObject({
  datasetId: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the dataset.' }),
});
const success = { status: 202 as const, description: 'The job, which is queued.', schema: Job };
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;
const queryErrors = [...errors, 'LuceneParseError', 'MissingIndexError'] as const;
const tag = 'Storage';
const settled =
  'Which records it is about is settled when the job begins, and the change is one whole: readers see all of it or nothing.';

export const storageRoutes = {
  deleteRecords: defineRoute({
    method: 'POST',
    path: '/storage/datasets/{datasetId}/deleteRecords',
    operationId: 'deleteRecords',
    tag,
    summary: 'Delete records by their ids',
    description: `Deletes the named records, or with an empty list and deleteAll all that the caller sees. ${settled}`,
    caller: 'member',
    params,
    body: RecordDeletion,
    success,
    errors,
  }),
  deleteRecordsByQuery: defineRoute({
    method: 'POST',
    path: '/storage/datasets/{datasetId}/deleteRecords/query',
    operationId: 'deleteRecordsByQuery',
    tag,
    summary: 'Delete records by a query',
    description: `Deletes the records that match and that the caller sees. ${settled}`,
    caller: 'member',
    params,
    body: QueryDeletion,
    success,
    errors: queryErrors,
  }),
  deleteDocumentsByQuery: defineRoute({
    method: 'POST',
    path: '/storage/datasets/{datasetId}/deleteDocuments/query',
    operationId: 'deleteDocumentsByQuery',
    tag,
    summary: 'Delete documents by a query',
    description: `Deletes all records that the caller sees of each document (\`document_id\`) of which a record matches. ${settled}`,
    caller: 'member',
    params,
    body: QueryDeletion,
    success,
    errors: queryErrors,
  }),
  relabelRecords: defineRoute({
    method: 'PATCH',
    path: '/storage/datasets/{datasetId}/labels',
    operationId: 'relabelRecords',
    tag,
    summary: 'Change the labels of records',
    description: `Gives the chosen records, out of those that the caller sees, another label. What the records themselves say stays as it is. ${settled}`,
    caller: 'member',
    params,
    body: Relabelling,
    success,
    errors: [...queryErrors, 'SecurityError'],
  }),
  clearDataset: defineRoute({
    method: 'POST',
    path: '/storage/datasets/{datasetId}/clear',
    operationId: 'clearDataset',
    tag,
    summary: 'Empty a dataset',
    description:
      'Removes all records, those hidden from the caller included. The dataset stays, with its grants.',
    caller: 'member',
    params,
    success,
    errors,
  }),
} as const;
