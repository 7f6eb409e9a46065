import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { createIdentityProviderRepository } from './identity-provider.repository.ts';
import { createIdentityProviderRoutes } from './identity-provider.routes.ts';
import { createIdentityProviderService } from './identity-provider.service.ts';
import {
  createFindWorkspaceProvider,
  createListProvidersOfWorkspace,
  createListWorkspaceProviders,
  type FindWorkspaceProvider,
  type ListProvidersOfWorkspace,
  type ListWorkspaceProviders,
} from './workspace-provider.repository.ts';

export { githubEnds } from './provider-config.ts';
export type {
  FindWorkspaceProvider,
  ListProvidersOfWorkspace,
  WorkspaceProvider,
} from './workspace-provider.repository.ts';

/** The routes of identity providers, and what the sign-in uses of them. */
export interface WiredIdentityProviders {
  bindings: RouteBinding[];
  findOwnProvider: FindWorkspaceProvider;
  listProvidersOfWorkspace: ListProvidersOfWorkspace;
  listOwnProviders: ListWorkspaceProviders;
}

/** Wires the identity providers of workspaces. */
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
}): WiredIdentityProviders => ({
  bindings: createIdentityProviderRoutes(
    createIdentityProviderService({
      providers: createIdentityProviderRepository(db),
      audited: createAuditedChange(audit, createIdentityProviderRepository),
      secrets,
      allowsPrivate,
      ids,
      clock,
    }),
  ),
  findOwnProvider: createFindWorkspaceProvider(db, secrets),
  listProvidersOfWorkspace: createListProvidersOfWorkspace(db),
  listOwnProviders: createListWorkspaceProviders(db),
});
