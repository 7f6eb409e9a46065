import type {
  CustomIdentityProvider,
  CustomIdentityProviderCreate,
  CustomIdentityProviderPatch,
  ListQuery,
} from '@redoubt/contract';
import { conflict, invalidField, notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import { requireCall } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { refuseChanges, requireOwnWorkspace } from '../../platform/auth/guards.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { IdentityProviderRepository } from './identity-provider.repository.ts';
import { hasOtherEndpoints, parseProviderConfig } from './provider-config.ts';
import { providerSecretLocation } from './workspace-provider.repository.ts';

export interface IdentityProviderService {
  list(actor: Member, list: ListQuery): Promise<Page<CustomIdentityProvider>>;
  get(actor: Member, id: string): Promise<CustomIdentityProvider>;
  create(actor: Member, body: CustomIdentityProviderCreate): Promise<CustomIdentityProvider>;
  patch(actor: Member, id: string, body: CustomIdentityProviderPatch): Promise<CustomIdentityProvider>;
  remove(actor: Member, id: string): Promise<CustomIdentityProvider>;
}

const eventOf = (
  action: string,
  { id, providerType }: Pick<CustomIdentityProvider, 'id' | 'providerType'>,
): AuditEvent => ({
  type: 'IdentityProviderManagement',
  description: `${action} the identity provider of type "${providerType}"`,
  details: { identityProviderId: id, providerType },
});

export const createIdentityProviderService = ({
  providers,
  audited,
  secrets,
  allowsPrivate,
  ids,
  clock,
}: {
  providers: Pick<IdentityProviderRepository, 'find' | 'list'>;
  audited: AuditedChange<IdentityProviderRepository>;
  secrets: SecretBox;
  /** Whether providers may be in private networks or on the local machine. */
  allowsPrivate: boolean;
} & Pick<Runtime, 'ids' | 'clock'>): IdentityProviderService => {
  const get = async (actor: Member, id: string): Promise<CustomIdentityProvider> => {
    const provider = await providers.find(actor, id);
    if (provider === undefined) throw notFound('identity provider', id);
    return provider;
  };
  return {
    list: (actor, list) => providers.list(actor, list),
    get,
    create: async (actor, { workspaceId, providerType = 'custom', config: sent }) => {
      requireOwnWorkspace(actor, workspaceId);
      requireCall(actor, 'createCustomIdentityProvider', 'add identity providers');
      const config = parseProviderConfig(sent, undefined, { type: providerType, allowsPrivate });
      const [id, now, workspaceUid] = [ids.uuid(), clock.now(), actor.workspace.uniqueId];
      const sealedSecret = secrets.seal(sent.secret, providerSecretLocation(id));
      try {
        await audited(actor, eventOf('added', { id, providerType }), (repository) =>
          repository.create({ id, workspaceUid, providerType, config, sealedSecret, now }),
        );
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(
          `providerType: this workspace already has an identity provider of type "${providerType}". Change that one, or send another type.`,
        );
      }
      return { id, workspaceId: actor.workspace.slug, providerType, config };
    },
    patch: (actor, id, { config: sent = {}, ...fixed }) =>
      audited(
        actor,
        (provider) => eventOf('changed', provider),
        async (repository) => {
          const present = await repository.lock(actor, id);
          if (present === undefined) throw notFound('identity provider', id);
          const { workspaceId, providerType } = present;
          refuseChanges({ id, workspaceId, providerType }, fixed);
          const config = parseProviderConfig(sent, present.config, { type: providerType, allowsPrivate });
          const endsLinks = hasOtherEndpoints(config, present.config);
          if (endsLinks && sent.secret === undefined) {
            throw invalidField({
              field: 'config.secret',
              expected:
                'present when the key or an address changes, because the stored secret belongs to the old ones',
              got: 'nothing',
              advice: 'Send the secret.',
            });
          }
          const sealedSecret =
            sent.secret === undefined ? undefined : secrets.seal(sent.secret, providerSecretLocation(id));
          const change = { config, sealedSecret, now: clock.now(), endsLinks };
          await repository.update(actor.workspace.uniqueId, id, change);
          return { ...present, config };
        },
      ),
    remove: async (actor, id) => {
      const provider = await get(actor, id);
      await audited(actor, eventOf('removed', provider), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return provider;
    },
  };
};
