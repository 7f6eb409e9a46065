import { Type, type Static } from 'typebox';
import { idSchema, idParams, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';
import { PermissionCode } from './permission-codes.ts';

export const WorkspacePermission = strictObject(
  {
    id: Type.String({ description: 'The same in every workspace.' }),
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
  { title: 'WorkspacePermissionAssignment', description: 'That a person holds a permission.' },
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

export const workspacePermissionRoutes = {
  listWorkspacePermissions: defineRoute({
    method: 'GET',
    path: '/workspace-permissions',
    operationId: 'listWorkspacePermissions',
    tag,
    summary: 'List workspace permissions',
    description: 'A page of the permissions that there are: a fixed list.',
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
    description: 'A page of assignments of the workspace.',
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
      'Counts from the next request of that person. `workspacePermissionsId` and `workspacePermissionsCode` name the same permission (400 otherwise). Twice the same is 409. Nobody gives themselves a permission, nor one that they lack to another.',
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
    description: 'One assignment by its id.',
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
    summary: 'Take a permission back',
    description:
      'Counts from the next request of that person. People may give back their own; nobody takes one that they lack from another.',
    caller: 'member',
    bearer: true,
    params,
    success: { status: 200, description: 'The removed assignment.', schema: WorkspacePermissionAssignment },
    errors,
  }),
} as const;
