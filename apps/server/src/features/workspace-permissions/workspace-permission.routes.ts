import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { WorkspacePermissionService } from './workspace-permission.service.ts';

export const createWorkspacePermissionRoutes = (permissions: WorkspacePermissionService): RouteBinding[] => [
  bindMember(routes.listWorkspacePermissions, ({ list }) => permissions.listPermissions(list)),
  bindMember(routes.listWorkspacePermissionAssignments, ({ actor, list }) => permissions.list(actor, list)),
  bindMember(routes.createWorkspacePermissionAssignment, ({ actor, body }) =>
    permissions.create(actor, body),
  ),
  bindMember(routes.getWorkspacePermissionAssignment, ({ actor, params }) =>
    permissions.get(actor, params.id),
  ),
  bindMember(routes.deleteWorkspacePermissionAssignment, ({ actor, params }) =>
    permissions.remove(actor, params.id),
  ),
];
