import { Type, type Static } from 'typebox';
import { IdParam, idParams, strictObject, Uuid } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const ConnectionAction = Type.Enum(['use', 'manage'], {
  description: 'use starts jobs and tests; manage includes use, and changes, shares and deletes.',
});
export type ConnectionAction = Static<typeof ConnectionAction>;

export const ConnectionPermission = strictObject(
  { id: Uuid, action: ConnectionAction, connectionId: Uuid, groupId: Uuid },
  { title: 'ConnectionPermission', description: 'What the members of a group may do with a connection.' },
);
export type ConnectionPermission = Static<typeof ConnectionPermission>;

export const ConnectionPermissionCreate = strictObject(
  { action: ConnectionAction, connectionId: IdParam, groupId: IdParam },
  { title: 'ConnectionPermissionCreate' },
);
export type ConnectionPermissionCreate = Static<typeof ConnectionPermissionCreate>;

const tag = 'Connection permissions';
const params = idParams('The id of the connection permission.');
const errors = ['AuthError', 'ForbiddenError', 'NotFoundError'] as const;

/** Grants of connections to groups, like those of datasets. */
export const connectionPermissionRoutes = {
  listConnectionPermissions: defineRoute({
    method: 'GET',
    path: '/connection-permissions',
    operationId: 'listConnectionPermissions',
    tag,
    summary: 'List connection permissions',
    description: 'Returns grants on connections that you manage, and grants to groups that you are in.',
    caller: 'member',
    list: { entity: ConnectionPermission, filters: ['id', 'action', 'connectionId', 'groupId'] },
    success: {
      status: 200,
      description: 'A page of connection permissions.',
      schema: toPageSchema(ConnectionPermission),
    },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  createConnectionPermission: defineRoute({
    method: 'POST',
    path: '/connection-permissions',
    operationId: 'createConnectionPermission',
    tag,
    summary: 'Share a connection with a group',
    description:
      'Takes effect with the next request of the members. If the grant already exists, you get 409.',
    caller: 'member',
    body: ConnectionPermissionCreate,
    success: { status: 201, description: 'The new connection permission.', schema: ConnectionPermission },
    errors,
  }),
  getConnectionPermission: defineRoute({
    method: 'GET',
    path: '/connection-permissions/{id}',
    operationId: 'getConnectionPermission',
    tag,
    summary: 'Get a connection permission',
    description: 'Returns one connection permission.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The connection permission.', schema: ConnectionPermission },
    errors,
  }),
  deleteConnectionPermission: defineRoute({
    method: 'DELETE',
    path: '/connection-permissions/{id}',
    operationId: 'deleteConnectionPermission',
    tag,
    summary: 'Withdraw a grant of a connection',
    description: 'Takes effect with the next request of the members, and stops their jobs at the next block.',
    caller: 'member',
    params,
    success: { status: 200, description: 'The deleted connection permission.', schema: ConnectionPermission },
    errors,
  }),
} as const;
