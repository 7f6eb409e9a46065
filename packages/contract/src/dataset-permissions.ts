import { Type, type Static } from 'typebox';
import { IdParam, idParams, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const DatasetAction = Type.Enum(['read', 'write', 'manage'], {
  description: 'manage includes read and write. write does not include read.',
});
export type DatasetAction = Static<typeof DatasetAction>;

export const DatasetPermission = strictObject(
  { id: Uuid, action: DatasetAction, datasetId: Uuid, groupId: Uuid },
  { title: 'DatasetPermission', description: 'What the members of a group may do with a dataset.' },
);
export type DatasetPermission = Static<typeof DatasetPermission>;

export const DatasetPermissionCreate = strictObject(
  { action: DatasetAction, datasetId: IdParam, groupId: IdParam },
  { title: 'DatasetPermissionCreate' },
);
export type DatasetPermissionCreate = Static<typeof DatasetPermissionCreate>;

export const DatasetPermissionPatch = Type.Partial(
  strictObject({ id: IdParam, action: DatasetAction, datasetId: IdParam, groupId: IdParam }),
  { title: 'DatasetPermissionPatch', additionalProperties: false },
);
export type DatasetPermissionPatch = Static<typeof DatasetPermissionPatch>;

const tag = 'Dataset permissions';
const params = idParams('The id of the dataset permission.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

/** Grants of datasets to groups. Privileges of people in a workspace are in `workspacePermissionRoutes`. */
export const datasetPermissionRoutes = {
  listDatasetPermissions: defineRoute({
    method: 'GET',
    path: '/dataset-permissions',
    operationId: 'listDatasetPermissions',
    tag,
    summary: 'List dataset permissions',
    description: 'Returns grants on datasets that you manage, and grants to groups that you are in.',
    caller: 'member',
    list: { entity: DatasetPermission, filters: ['id', 'action', 'datasetId', 'groupId'] },
    success: {
      status: 200,
      description: 'A page of dataset permissions.',
      schema: toPageSchema(DatasetPermission),
    },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createDatasetPermission: defineRoute({
    method: 'POST',
    path: '/dataset-permissions',
    operationId: 'createDatasetPermission',
    tag,
    summary: 'Grant a dataset to a group',
    description:
      'Takes effect with the next request of the members. If the grant already exists, you get 409.',
    caller: 'member',
    body: DatasetPermissionCreate,
    success: { status: 201, description: 'The new dataset permission.', schema: DatasetPermission },
    errors,
  }),
  getDatasetPermission: defineRoute({
    method: 'GET',
    path: '/dataset-permissions/{id}',
    operationId: 'getDatasetPermission',
    tag,
    summary: 'Get a dataset permission',
    description: 'Returns one dataset permission.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The dataset permission.', schema: DatasetPermission },
    errors,
  }),
  patchDatasetPermission: defineRoute({
    method: 'PATCH',
    path: '/dataset-permissions/{id}',
    operationId: 'patchDatasetPermission',
    tag,
    summary: 'Change a dataset permission',
    description: 'Changes the action or the group. The dataset cannot change.',
    caller: 'member',
    params,
    body: DatasetPermissionPatch,
    success: { status: 200, description: 'The changed dataset permission.', schema: DatasetPermission },
    errors,
  }),
  deleteDatasetPermission: defineRoute({
    method: 'DELETE',
    path: '/dataset-permissions/{id}',
    operationId: 'deleteDatasetPermission',
    tag,
    summary: 'Withdraw a grant',
    description: 'Takes effect with the next request of the members.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The deleted dataset permission.', schema: DatasetPermission },
    errors,
  }),
} as const;
