import type { Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { Subscriptions } from '../../platform/subscriptions/index.ts';
import { createWorkspaceRoutes } from './workspace.routes.ts';
import { createWorkspaceService, type WorkspaceService } from './workspace.service.ts';

export const wireWorkspaces = (deps: {
  db: Db;
  runtime: Runtime;
  drainPendingDrops(): Promise<void>;
  subscriptions: Pick<Subscriptions, 'isBilled'>;
  audit: Audit;
}): { bindings: RouteBinding[]; workspaces: WorkspaceService } => {
  const workspaces = createWorkspaceService(deps);
  return { bindings: createWorkspaceRoutes(workspaces), workspaces };
};
