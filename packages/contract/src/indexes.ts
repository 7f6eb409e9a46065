import { Type, type Static } from 'typebox';
import { IdParam, idParams, strictObject } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { Job } from './jobs.ts';

const maxFields = 8;

const Field = Type.String({ minLength: 1, maxLength: 1000 });
const Fields = Type.Array(Field, {
  minItems: 1,
  maxItems: maxFields,
  uniqueItems: true,
  description: `1 to ${maxFields} fields; write a field inside an object as \`outer.inner\`. Several fields make one index for queries on any of them.`,
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
      'Makes queries on fields fast: ranges of numbers and times, and equality of texts and whole numbers. Results do not depend on indexes.',
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

const IndexSelector = Type.Union([
  Field,
  Fields,
  strictObject({ id: IdParam }),
  strictObject({ fields: Fields }),
]);
const NewIndex = Type.Union([Field, Fields, strictObject({ fields: Fields })]);
const maxChanges = 100;

export const IndexManagement = strictObject(
  {
    action: Type.Literal('modifyIndexes'),
    datasetId: IdParam,
    remove: Type.Optional(
      Type.Array(IndexSelector, {
        maxItems: maxChanges,
        description: 'Indexes to drop, each by its id or its fields.',
      }),
    ),
    create: Type.Optional(
      Type.Array(NewIndex, {
        maxItems: maxChanges,
        description: 'Indexes to create, each a field or several fields.',
      }),
    ),
    autoCreateIndexes: Type.Optional(
      Type.Boolean({ description: 'Whether new fields get an index automatically.' }),
    ),
    searchAnyField: Type.Optional(
      Type.Boolean({ description: 'Whether searches may contain terms without a field.' }),
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
      'Returns a page of the indexes of one dataset: those that people created and, if autoCreateIndexes is on, one for each field with numbers, times or texts in records that are visible to you. A dataset that is hidden from you has none.',
    caller: 'member',
    query: strictObject({
      datasetId: { ...IdParam, description: 'The id of the dataset. Required.' },
      fields: Type.Optional(
        Type.Boolean({ default: true, description: 'False leaves the fields out of the response.' }),
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
      'The index contains records that are written from now on. A job of the type reindex adds existing records. If an index on the same fields exists, you get 409.',
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
    description: 'Returns one index.',
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
      'Changes its fields. An index that was created automatically returns 400: drop it and create another one.',
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
    description: 'Queries return the same results, but take longer. An automatic index is not created again.',
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
      'Drops and creates indexes and changes the settings for automatic ones, all in one transaction. Then it starts a job that adds existing records to the indexes. Creating an existing index has no effect.',
    caller: 'member',
    body: IndexManagement,
    success: { status: 201, description: 'The queued job.', schema: Job },
    errors,
  }),
} as const;
