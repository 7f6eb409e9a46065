import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import { createApiKeyRepository } from './api-key.repository.ts';
import { createApiKeyRoutes } from './api-key.routes.ts';
import { createApiKeyService } from './api-key.service.ts';
import { createGrantableScopeRepository } from './grantable-scope.repository.ts';
import { createGrantableScope } from './grantable-scope.ts';

/** Wires API keys: credentials of programs, with less access than their owner. */
export const wireApiKeys = ({
  db,
  runtime,
  audit,
  held,
}: {
  db: Db;
  runtime: Runtime;
  audit: Audit;
  held: HeldAttributes;
}): RouteBinding[] => {
  const repository = createGrantableScopeRepository(db);
  const grantable = createGrantableScope({ repository, held });
  return createApiKeyRoutes(
    createApiKeyService({
      apiKeys: createApiKeyRepository(db),
      audited: createAuditedChange(audit, createApiKeyRepository),
      names: repository,
      grantable,
      runtime,
    }),
  );
};
