import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import { createIsMember } from '../../platform/auth/membership.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createPermissionAssignmentRepository } from './permission-assignment.repository.ts';
import { createWorkspacePermissionRoutes } from './workspace-permission.routes.ts';
import { createWorkspacePermissionService } from './workspace-permission.service.ts';

/** Wires the permissions to manage parts of a workspace, and their assignments. */
export const wireWorkspacePermissions = ({
  db,
  runtime: { clock, ids },
  audit,
}: {
  audit: Audit;
  db: Db;
  runtime: Runtime;
}): RouteBinding[] =>
  createWorkspacePermissionRoutes(
    createWorkspacePermissionService({
      assignments: createPermissionAssignmentRepository(db),
      audited: createAuditedChange(audit, createPermissionAssignmentRepository),
      isMember: createIsMember(db),
      clock,
      ids,
    }),
  );
