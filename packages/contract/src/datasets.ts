import { Type, type Static } from 'typebox';
import { Description, IdParam, idParams, Name, OwnWorkspaceId, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { DatasetSchema } from './records.ts';

export const CurrentUserPermissions = strictObject(
  { read: Type.Boolean(), write: Type.Boolean(), manage: Type.Boolean() },
  { title: 'CurrentUserPermissions', description: 'What you may do with the dataset.' },
);
export type CurrentUserPermissions = Static<typeof CurrentUserPermissions>;

export const Dataset = strictObject(
  {
    id: Uuid,
    name: Name,
    recordCount: Type.Integer({ minimum: 0, description: 'How many records are visible to you.' }),
    description: Description,
    autoCreateIndexes: Type.Boolean(),
    schema: DatasetSchema,
    searchAnyField: Type.Boolean({ description: 'Whether searches may contain terms without a field.' }),
    userId: Type.String({ description: 'The id of the person who created the dataset.' }),
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    currentUserPermissions: CurrentUserPermissions,
  },
  { title: 'Dataset' },
);
export type Dataset = Static<typeof Dataset>;

/**
 * The schema of a dataset in a request. Redoubt derives the schema from the records, so only an empty one is accepted.
 * Old clients send it as a string.
 */
const EmptySchema = Type.Union([Type.Object({}, { additionalProperties: false }), Type.Literal('{}')], {
  description:
    'An empty object, because the schema is derived from the records. Old clients send the string `{}`.',
});
const IgnoredCount = Type.Unknown({ description: 'Ignored: the count is that of the visible records.' });

export const DatasetCreate = strictObject(
  {
    name: Name,
    workspaceId: OwnWorkspaceId,
    description: Type.Optional(Description),
    autoCreateIndexes: Type.Optional(Type.Boolean({ default: true })),
    searchAnyField: Type.Optional(Type.Boolean({ default: true })),
    userId: Type.Optional(IdParam),
    schema: Type.Optional(EmptySchema),
    recordCount: Type.Optional(IgnoredCount),
  },
  { title: 'DatasetCreate' },
);
export type DatasetCreate = Static<typeof DatasetCreate>;

export const DatasetPatch = Type.Partial(
  strictObject({
    id: IdParam,
    name: Name,
    workspaceId: IdParam,
    description: Description,
    autoCreateIndexes: Type.Boolean(),
    searchAnyField: Type.Boolean(),
    userId: IdParam,
    schema: EmptySchema,
    recordCount: IgnoredCount,
  }),
  { title: 'DatasetPatch', additionalProperties: false },
);
export type DatasetPatch = Static<typeof DatasetPatch>;

const tag = 'Datasets';
const params = idParams('The id of the dataset.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

export const datasetRoutes = {
  listDatasets: defineRoute({
    method: 'GET',
    path: '/datasets',
    operationId: 'listDatasets',
    tag,
    summary: 'List datasets',
    description: 'Returns a page of the datasets that you may read, write or manage.',
    caller: 'member',
    list: {
      entity: Dataset,
      filters: [
        'id',
        'name',
        'recordCount',
        'description',
        'autoCreateIndexes',
        'searchAnyField',
        'userId',
        'workspaceId',
      ],
    },
    success: { status: 200, description: 'A page of datasets.', schema: toPageSchema(Dataset) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createDataset: defineRoute({
    method: 'POST',
    path: '/datasets',
    operationId: 'createDataset',
    tag,
    summary: 'Create a dataset',
    description: 'You own the new dataset and may manage it. Others need a grant. Names need not be unique.',
    caller: 'member',
    body: DatasetCreate,
    success: { status: 201, description: 'The new dataset.', schema: Dataset },
    errors,
  }),
  getDataset: defineRoute({
    method: 'GET',
    path: '/datasets/{id}',
    operationId: 'getDataset',
    tag,
    summary: 'Get a dataset',
    description: 'Returns one dataset. If you may not read it, `recordCount` is 0 and `schema` is empty.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The dataset.', schema: Dataset },
    errors,
  }),
  patchDataset: defineRoute({
    method: 'PATCH',
    path: '/datasets/{id}',
    operationId: 'patchDataset',
    tag,
    summary: 'Change a dataset',
    description: 'Changes the name, description and index settings.',
    caller: 'member',
    params,
    body: DatasetPatch,
    success: { status: 200, description: 'The changed dataset.', schema: Dataset },
    errors,
  }),
  deleteDataset: defineRoute({
    method: 'DELETE',
    path: '/datasets/{id}',
    operationId: 'deleteDataset',
    tag,
    summary: 'Delete a dataset',
    description: 'Deletes the dataset with all its records, including those that are hidden from you.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The deleted dataset.', schema: Dataset },
    errors,
  }),
} as const;
