import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import { createIsMember } from '../../platform/auth/membership.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { createApplicationRepository } from './application.repository.ts';
import { createApplicationRoutes } from './application.routes.ts';
import { createApplicationService } from './application.service.ts';

export { isApplicationUsableBy } from './application-usable.repository.ts';
export { isSecretOf, generateClientSecret, secretHashOf } from './client-secret.ts';

export const wireApplications = ({
  db,
  runtime,
  access,
  audit,
}: {
  audit: Audit;
  db: Db;
  runtime: Runtime;
  access: DatasetAccess;
}): { bindings: RouteBinding[] } => ({
  bindings: createApplicationRoutes(
    createApplicationService({
      applications: createApplicationRepository(db),
      audited: createAuditedChange(audit, createApplicationRepository),
      access,
      isMember: createIsMember(db),
      runtime,
    }),
  ),
});
