import { Type, type Static } from 'typebox';
import { idSchema, idParams, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { PermissionCode } from './permission-codes.ts';

export const WorkspacePermission = strictObject(
  {
    id: Type.String({ description: 'The id of the permission, which is the same in every workspace.' }),
    name: Type.String(),
    code: PermissionCode,
    description: Type.String(),
  },
  { title: 'WorkspacePermission', description: 'The right to manage one part of a workspace.' },
);
export type WorkspacePermission = Static<typeof WorkspacePermission>;

export const WorkspacePermissionAssignment = strictObject(
  {
    id: Uuid,
    workspacePermissionsId: Type.String({ description: 'The id of the permission.' }),
    userId: Uuid,
    workspaceId: Type.String({ description: 'The id (slug) of the workspace.' }),
    workspacePermissionsCode: PermissionCode,
    name: Type.String({ description: 'The name of the permission.' }),
    description: Type.String({ description: 'What the permission lets its holder do.' }),
  },
  { title: 'WorkspacePermissionAssignment', description: 'A permission that a person holds.' },
);
export type WorkspacePermissionAssignment = Static<typeof WorkspacePermissionAssignment>;

export const WorkspacePermissionAssignmentCreate = strictObject(
  {
    workspacePermissionsId: idSchema('The id of the permission, as `GET /workspace-permissions` lists it.'),
    userId: idSchema('The id of the person, as `GET /users` lists it.'),
    workspaceId: idSchema('The id of the workspace of the session.'),
    workspacePermissionsCode: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The code of the same permission.',
    }),
  },
  { title: 'WorkspacePermissionAssignmentCreate' },
);
export type WorkspacePermissionAssignmentCreate = Static<typeof WorkspacePermissionAssignmentCreate>;

const tag = 'Workspace permissions';
const params = idParams('The id of the assignment.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

/** Privileges of people in a workspace. Grants of datasets are in `datasetPermissionRoutes`. */
export const workspacePermissionRoutes = {
  listWorkspacePermissions: defineRoute({
    method: 'GET',
    path: '/workspace-permissions',
    operationId: 'listWorkspacePermissions',
    tag,
    summary: 'List workspace permissions',
    description: 'Returns a page of all permissions. They are fixed.',
    caller: 'member',
    list: { entity: WorkspacePermission, filters: ['id', 'name', 'code', 'description'] },
    success: {
      status: 200,
      description: 'A page of permissions.',
      schema: toPageSchema(WorkspacePermission),
    },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  listWorkspacePermissionAssignments: defineRoute({
    method: 'GET',
    path: '/workspace-permissions-assignments',
    operationId: 'listWorkspacePermissionAssignments',
    tag,
    summary: 'List who holds which permission',
    description: 'Returns a page of the assignments in the workspace that are visible to you.',
    caller: 'member',
    list: {
      entity: WorkspacePermissionAssignment,
      filters: ['id', 'workspacePermissionsId', 'userId', 'workspaceId', 'workspacePermissionsCode'],
    },
    success: {
      status: 200,
      description: 'A page of assignments.',
      schema: toPageSchema(WorkspacePermissionAssignment),
    },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createWorkspacePermissionAssignment: defineRoute({
    method: 'POST',
    path: '/workspace-permissions-assignments',
    operationId: 'createWorkspacePermissionAssignment',
    tag,
    summary: 'Give a person a permission',
    description:
      'Takes effect with the next request of that person. `workspacePermissionsId` and `workspacePermissionsCode` must name the same permission (otherwise 400). If the person already holds it, you get 409. You cannot give a permission to yourself, or one that you lack to others.',
    caller: 'member',
    bearer: true,
    body: WorkspacePermissionAssignmentCreate,
    success: { status: 201, description: 'The new assignment.', schema: WorkspacePermissionAssignment },
    errors,
  }),
  getWorkspacePermissionAssignment: defineRoute({
    method: 'GET',
    path: '/workspace-permissions-assignments/{id}',
    operationId: 'getWorkspacePermissionAssignment',
    tag,
    summary: 'Get one assignment of a permission',
    description: 'Returns one assignment.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The assignment.', schema: WorkspacePermissionAssignment },
    errors,
  }),
  deleteWorkspacePermissionAssignment: defineRoute({
    method: 'DELETE',
    path: '/workspace-permissions-assignments/{id}',
    operationId: 'deleteWorkspacePermissionAssignment',
    tag,
    summary: 'Take a permission from a person',
    description:
      'Takes effect with the next request of that person. You can give up your own permissions. You cannot take a permission that you lack from others.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The deleted assignment.', schema: WorkspacePermissionAssignment },
    errors,
  }),
} as const;
