import { routes } from '@redoubt/contract';
import { bindPerson, type RouteBinding } from '../../platform/http/binding.ts';
import type { WorkspaceService } from './workspace.service.ts';

export const createWorkspaceRoutes = (service: WorkspaceService): RouteBinding[] => [
  bindPerson(routes.listWorkspaces, ({ actor, list }) => service.list(actor, list)),
  bindPerson(routes.createWorkspace, ({ actor, body }) => service.create(actor, body)),
  bindPerson(routes.getWorkspace, ({ actor, params }) => service.get(actor, params.id)),
  bindPerson(routes.updateWorkspace, ({ actor, params, body }) => service.update(actor, params.id, body)),
  bindPerson(routes.deleteWorkspace, ({ actor, params }) => service.remove(actor, params.id)),
];
