import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createWorkspaceRoutes } from './workspace.routes.ts';
import { createWorkspaceService, type WorkspaceService } from './workspace.service.ts';

export const wireWorkspaces = (deps: {
  db: Db;
  runtime: Runtime;
  drainPendingDrops(): Promise<void>;
}): { bindings: RouteBinding[]; workspaces: WorkspaceService } => {
  const workspaces = createWorkspaceService(deps);
  return { bindings: createWorkspaceRoutes(workspaces), workspaces };
};
