import { Type, type Static } from 'typebox';
import { strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { Job } from './jobs.ts';

const maxIds = 10_000;

const RecordIds = Type.Array(Type.String({ maxLength: 200 }), {
  maxItems: maxIds,
  description: `The ids of up to ${maxIds} records (\`_koverse_record_id\`). Records that are hidden from you are ignored.`,
});
const Query = Type.String({
  minLength: 1,
  description: 'A Lucene expression, plain or percent-encoded, as in /query/lucene.',
});

export const RecordDeletion = strictObject(
  {
    recordIds: RecordIds,
    deleteAll: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'With an empty array of ids: deletes all records that are visible to you, and no others.',
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
        'The new label, such as `A&(B|C)`. You need not satisfy it. Attributes that the workspace does not have yet are created; nobody holds them at first.',
    }),
    recordIds: Type.Optional(RecordIds),
    query: Type.Optional(Query),
  },
  {
    title: 'Relabelling',
    description: 'A new label, and the records that get it: send either recordIds or query.',
    examples: [{ label: 'SECRET&(EU|UK)', query: 'source:cable' }],
  },
);
export type Relabelling = Static<typeof Relabelling>;

const params = strictObject({
  datasetId: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the dataset.' }),
});
const success = { status: 202 as const, description: 'The queued job.', schema: Job };
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;
const queryErrors = [...errors, 'LuceneParseError', 'MissingIndexError'] as const;
const tag = 'Storage';
const selection = 'The job selects the records when it starts. Readers see the whole change or none of it.';

/** Deletes and relabels many records at once, in jobs because that can take long. */
export const storageRoutes = {
  deleteRecords: defineRoute({
    method: 'POST',
    path: '/storage/datasets/{datasetId}/deleteRecords',
    operationId: 'deleteRecords',
    tag,
    summary: 'Delete records by their ids',
    description: `Deletes the records with these ids, or with an empty array and deleteAll all records that are visible to you. ${selection}`,
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
    description: `Deletes the matching records that are visible to you. ${selection}`,
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
    description: `Deletes all visible records of each document (\`document_id\`) that has a visible match. ${selection}`,
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
    description: `Gives the selected records that are visible to you another label. The content of the records does not change. ${selection}`,
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
    summary: 'Clear a dataset',
    description:
      'Deletes all records, including those that are hidden from you. The dataset and its grants stay.',
    caller: 'member',
    params,
    success,
    errors,
  }),
} as const;
