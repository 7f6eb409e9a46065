import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { FindVisibleGroup } from '../groups/index.ts';
import type { Sources } from '../ingest/index.ts';
import { createConnectionAccessRepository } from './connection-access.repository.ts';
import { createRequireConnection } from './connection-access.ts';
import { createConnectionPermissionRepository } from './connection-permission.repository.ts';
import { createConnectionPermissionService } from './connection-permission.service.ts';
import { createConnectionRepository } from './connection.repository.ts';
import { createConnectionRoutes } from './connection.routes.ts';
import { createConnectionService } from './connection.service.ts';
import { createConnections, type Connections } from './open-connection.ts';
import { createTestSource } from './test-source.ts';

export type { Connections } from './open-connection.ts';

/** Wires stored connections to sources, and their grants to groups. */
export const wireConnections = ({
  db,
  audit,
  secrets,
  held,
  findVisibleGroup,
  sources,
  runtime: { ids, clock },
}: {
  db: Db;
  audit: Audit;
  secrets: SecretBox;
  held: HeldAttributes;
  findVisibleGroup: FindVisibleGroup;
  sources: Sources;
  runtime: Runtime;
}): { bindings: RouteBinding[]; connections: Connections } => {
  const { find: findConnection } = createConnectionAccessRepository(db);
  const requireConnection = createRequireConnection({ find: findConnection });
  const service = createConnectionService({
    connections: createConnectionRepository(db),
    audited: createAuditedChange(audit, createConnectionRepository),
    requireConnection,
    held,
    sources,
    testSource: createTestSource(sources),
    secrets,
    ids,
    clock,
  });
  const permissions = createConnectionPermissionService({
    permissions: createConnectionPermissionRepository(db),
    audited: createAuditedChange(audit, createConnectionPermissionRepository),
    requireConnection,
    findVisibleGroup,
    ids,
    clock,
  });
  return {
    bindings: createConnectionRoutes(service, permissions),
    connections: createConnections({ audit, held, findConnection, requireConnection, secrets, sources }),
  };
};
