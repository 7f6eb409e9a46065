import { auditedBy, type Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { createIdentityProviderRepository } from './identity-provider.repository.ts';
import { createIdentityProviderRoutes } from './identity-provider.routes.ts';
import { createIdentityProviderService } from './identity-provider.service.ts';
import { createFindOwnProvider, type FindOwnProvider } from './own-provider.repository.ts';

export { githubEnds } from './provider-config.ts';
export type { FindOwnProvider, OwnProvider } from './own-provider.repository.ts';

/** The identity providers that workspaces bring. */
export const wireIdentityProviders = ({
  db,
  secrets,
  runtime: { ids, clock },
  allowsPrivate,
  audit,
}: {
  audit: Audit;
  db: Db;
  secrets: SecretBox;
  runtime: Runtime;
  allowsPrivate: boolean;
}): { bindings: RouteBinding[]; findOwnProvider: FindOwnProvider } => ({
  bindings: createIdentityProviderRoutes(
    createIdentityProviderService({
      providers: createIdentityProviderRepository(db),
      audited: auditedBy(audit, createIdentityProviderRepository),
      secrets,
      allowsPrivate,
      ids,
      clock,
    }),
  ),
  findOwnProvider: createFindOwnProvider(db, secrets),
});
