import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import { createDisconnectSignal } from '../records/index.ts';
import type { ConnectionPermissionService } from './connection-permission.service.ts';
import type { ConnectionService } from './connection.service.ts';

export const createConnectionRoutes = (
  connections: ConnectionService,
  permissions: ConnectionPermissionService,
): RouteBinding[] => [
  bindMember(routes.listConnections, ({ actor, list }) => connections.list(actor, list)),
  bindMember(routes.createConnection, ({ actor, body }) => connections.create(actor, body)),
  bindMember(routes.getConnection, ({ actor, params }) => connections.get(actor, params.id)),
  bindMember(routes.patchConnection, ({ actor, params, body }) => connections.patch(actor, params.id, body)),
  bindMember(routes.deleteConnection, ({ actor, params }) => connections.remove(actor, params.id)),
  bindMember(routes.testConnection, ({ actor, params, reply }) =>
    connections.test(actor, params.id, createDisconnectSignal(reply)),
  ),
  bindMember(routes.listConnectionPermissions, ({ actor, list }) => permissions.list(actor, list)),
  bindMember(routes.createConnectionPermission, ({ actor, body }) => permissions.create(actor, body)),
  bindMember(routes.getConnectionPermission, ({ actor, params }) => permissions.get(actor, params.id)),
  bindMember(routes.deleteConnectionPermission, ({ actor, params }) => permissions.remove(actor, params.id)),
];
