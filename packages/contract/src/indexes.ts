import { Type, type Static } from 'typebox';
import { IdParam, idParams, strictObject } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { Job } from './jobs.ts';

const mostFields = 8;

const Field = Type.String({ minLength: 1, maxLength: 1000 });
const Fields = Type.Array(Field, {
  minItems: 1,
  maxItems: mostFields,
  uniqueItems: true,
  description: `The fields, 1 to ${mostFields}; one inside an object as \`outer.inner\`. Several make one index that serves questions about any of them.`,
});

export const Index = strictObject(
  {
    id: Type.String({ description: 'The id of the index.' }),
    datasetId: Type.String(),
    fields: Type.Optional(Type.Array(Type.String())),
  },
  {
    title: 'Index',
    description:
      'What makes questions about fields fast: numbers and times by ranges, texts and whole numbers by equality. No answer depends on it.',
  },
);
export type Index = Static<typeof Index>;

export const IndexCreate = strictObject(
  { datasetId: IdParam, fields: Fields },
  {
    title: 'IndexCreate',
    examples: [{ datasetId: '896724b2-bc5e-4e65-9965-a6d9c89a6c1c', fields: ['elevation_ft'] }],
  },
);
export type IndexCreate = Static<typeof IndexCreate>;

export const IndexPatch = strictObject(
  {
    id: Type.Optional(IdParam),
    datasetId: Type.Optional(IdParam),
    fields: Type.Optional(Fields),
  },
  { title: 'IndexPatch' },
);
export type IndexPatch = Static<typeof IndexPatch>;

const Chosen = Type.Union([Field, Fields, strictObject({ id: IdParam }), strictObject({ fields: Fields })]);
const Made = Type.Union([Field, Fields, strictObject({ fields: Fields })]);
const mostChanges = 100;

export const IndexManagement = strictObject(
  {
    action: Type.Literal('modifyIndexes'),
    datasetId: IdParam,
    remove: Type.Optional(
      Type.Array(Chosen, {
        maxItems: mostChanges,
        description: 'Indexes to drop: each by its id, or by its field or fields.',
      }),
    ),
    create: Type.Optional(
      Type.Array(Made, { maxItems: mostChanges, description: 'Indexes to make: each a field, or fields.' }),
    ),
    autoCreateIndexes: Type.Optional(
      Type.Boolean({ description: 'Whether fields get indexes as they appear.' }),
    ),
    searchAnyField: Type.Optional(
      Type.Boolean({ description: 'Whether searches may have terms without a field.' }),
    ),
  },
  {
    title: 'IndexManagement',
    examples: [
      {
        action: 'modifyIndexes',
        datasetId: '896724b2-bc5e-4e65-9965-a6d9c89a6c1c',
        remove: [],
        create: [['type', 'elevation_ft']],
        autoCreateIndexes: true,
        searchAnyField: true,
      },
    ],
  },
);
export type IndexManagement = Static<typeof IndexManagement>;

const tag = 'Indexes';
const params = idParams('The id of the index.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const indexRoutes = {
  listIndexes: defineRoute({
    method: 'GET',
    path: '/indexes',
    operationId: 'listIndexes',
    tag,
    summary: 'List the indexes of a dataset',
    description:
      'A page of the indexes of one dataset: those that people made and, where autoCreateIndexes is on, one for each field with numbers, times or texts of the records that the caller sees. None of a dataset that the caller does not see.',
    caller: 'member',
    query: strictObject({
      datasetId: { ...IdParam, description: 'The dataset. Required.' },
      fields: Type.Optional(
        Type.Boolean({ default: true, description: 'False leaves the fields out of the answer.' }),
      ),
    }),
    list: { entity: Index, filters: ['id'] },
    success: { status: 200, description: 'A page of indexes.', schema: toPageSchema(Index) },
    errors,
  }),
  createIndex: defineRoute({
    method: 'POST',
    path: '/indexes',
    operationId: 'createIndex',
    tag,
    summary: 'Create an index',
    description:
      'The index holds what is written from now on; a job of the type reindex adds the records that are there. The same fields twice are 409.',
    caller: 'member',
    body: IndexCreate,
    success: { status: 201, description: 'The new index.', schema: Index },
    errors,
  }),
  getIndex: defineRoute({
    method: 'GET',
    path: '/indexes/{id}',
    operationId: 'getIndex',
    tag,
    summary: 'Get an index',
    description: 'One index by its id.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The index.', schema: Index },
    errors,
  }),
  patchIndex: defineRoute({
    method: 'PATCH',
    path: '/indexes/{id}',
    operationId: 'patchIndex',
    tag,
    summary: 'Change an index',
    description:
      'Gives it other fields. One that made itself is dropped, and another one created, instead (400).',
    caller: 'member',
    params,
    body: IndexPatch,
    success: { status: 200, description: 'The index.', schema: Index },
    errors,
  }),
  deleteIndex: defineRoute({
    method: 'DELETE',
    path: '/indexes/{id}',
    operationId: 'deleteIndex',
    tag,
    summary: 'Drop an index',
    description:
      'Answers stay what they are, and take longer. One that made itself does not come back by itself.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The dropped index.', schema: Index },
    errors,
  }),
  manageIndexes: defineRoute({
    method: 'POST',
    path: '/index-management',
    operationId: 'manageIndexes',
    tag,
    summary: 'Change the indexes of a dataset',
    description:
      'Drops and creates indexes and sets what fields get by themselves, all or nothing, and starts a job that brings the indexes up to date with the records. Creating what is there changes nothing.',
    caller: 'member',
    body: IndexManagement,
    success: { status: 201, description: 'The job, which is queued.', schema: Job },
    errors,
  }),
} as const;
