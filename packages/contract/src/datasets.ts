import { Type, type Static } from 'typebox';
import { Description, IdParam, idParams, Name, OwnWorkspaceId, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { DatasetSchema } from './records.ts';

export const CurrentUserPermissions = strictObject(
  { read: Type.Boolean(), write: Type.Boolean(), manage: Type.Boolean() },
  { title: 'CurrentUserPermissions', description: 'What the caller may do with the dataset.' },
);
export type CurrentUserPermissions = Static<typeof CurrentUserPermissions>;

export const Dataset = strictObject(
  {
    id: Uuid,
    name: Name,
    recordCount: Type.Integer({ minimum: 0, description: 'The records that the caller sees.' }),
    description: Description,
    autoCreateIndexes: Type.Boolean(),
    schema: DatasetSchema,
    searchAnyField: Type.Boolean({ description: 'Whether a search may leave out the field.' }),
    userId: Type.String({ description: 'Who made the dataset.' }),
    workspaceId: Type.String({ description: 'The id of the workspace.' }),
    currentUserPermissions: CurrentUserPermissions,
  },
  { title: 'Dataset' },
);
export type Dataset = Static<typeof Dataset>;

/** The schema is learnt, so only an empty one is taken; old clients send it as text. */
const EmptySchema = Type.Union([Type.Object({}, { additionalProperties: false }), Type.Literal('{}')], {
  description: 'Empty: the schema is learnt from the records. Old clients send the text `{}`.',
});
const IgnoredCount = Type.Unknown({ description: 'Ignored: the count is that of the records seen.' });

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
    description: 'A page of the datasets that the caller may read, write or manage.',
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
    description: 'Its maker may manage it; everyone else needs a grant. Names need not be unique.',
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
    description: 'One dataset by its id. Without read, `recordCount` is 0 and `schema` is empty.',
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
    description: 'Changes name, description and the index settings.',
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
    description: 'Removes the dataset with all its records, hidden ones included.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The removed dataset.', schema: Dataset },
    errors,
  }),
} as const;
