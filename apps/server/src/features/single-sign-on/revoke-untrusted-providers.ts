import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import type { SingleSignOnSettings } from '../../platform/config/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { WiredIdentityProviders } from '../identity-providers/index.ts';
import { createProviderSessionRepository } from './provider-session.repository.ts';
import { isTrustedProvider } from './trusted-provider.ts';

/**
 * Ends sessions and grants that depend on workspaces' providers that the operator no longer trusts. Call it once at
 * start: the settings do not change later. Links stay, so that nobody else gets an account if a provider is trusted again.
 */
export const revokeUntrustedProviders = async ({
  audit,
  singleSignOn,
  listOwnProviders,
  runtime: { clock },
}: {
  audit: Pick<Audit, 'change'>;
  singleSignOn?: SingleSignOnSettings | undefined;
  listOwnProviders: WiredIdentityProviders['listOwnProviders'];
  runtime: Pick<Runtime, 'clock'>;
}): Promise<void> => {
  const audited = createAuditedChange(audit, createProviderSessionRepository);
  for (const provider of await listOwnProviders()) {
    if (isTrustedProvider(provider, singleSignOn?.trustedIssuers ?? [])) continue;
    const operator = { accountId: undefined, email: '', workspace: { uniqueId: provider.workspaceUid } };
    await audited(
      operator,
      (ended) =>
        ended === 0
          ? undefined
          : {
              type: 'IdentityProviderManagement',
              description: 'ended sessions and grants of a provider that the operator no longer trusts',
              details: { providerId: provider.id, by: 'operator' },
            },
      (sessions) => sessions.end(provider.id, clock.now()),
    );
  }
};
