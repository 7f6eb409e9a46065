import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { DatasetPermissionService } from './dataset-permission.service.ts';

export const createDatasetPermissionRoutes = (permissions: DatasetPermissionService): RouteBinding[] => [
  bindMember(routes.listDatasetPermissions, ({ actor, list }) => permissions.list(actor, list)),
  bindMember(routes.createDatasetPermission, ({ actor, body }) => permissions.create(actor, body)),
  bindMember(routes.getDatasetPermission, ({ actor, params }) => permissions.get(actor, params.id)),
  bindMember(routes.patchDatasetPermission, ({ actor, params, body }) =>
    permissions.patch(actor, params.id, body),
  ),
  bindMember(routes.deleteDatasetPermission, ({ actor, params }) => permissions.remove(actor, params.id)),
];
