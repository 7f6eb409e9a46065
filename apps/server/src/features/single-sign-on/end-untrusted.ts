import { auditedBy, type Audit } from '../../platform/audit/index.ts';
import type { SingleSignOnSettings } from '../../platform/config/index.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { WiredIdentityProviders } from '../identity-providers/index.ts';
import { createRestingSessions } from './resting-sessions.repository.ts';
import { isTrusted } from './trusted.ts';

/**
 * Ends what rests on providers of workspaces for which the operator does not vouch any more. To be called once at start: the
 * settings do not change later. Links stay, so that nobody else gets the account if the operator vouches for them again.
 */
export const endUntrusted = async ({
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
  const audited = auditedBy(audit, createRestingSessions);
  for (const provider of await listOwnProviders()) {
    if (isTrusted(provider, singleSignOn?.trustedIssuers ?? [])) continue;
    const operator = { accountId: undefined, email: '', workspace: { uniqueId: provider.workspaceUid } };
    await audited(
      operator,
      (ended) =>
        ended === 0
          ? undefined
          : {
              type: 'IdentityProviderManagement',
              description: 'ended what rests on a provider that the operator does not vouch for any more',
              details: { providerId: provider.id, by: 'operator' },
            },
      (resting) => resting.end(provider.id, clock.now()),
    );
  }
};
