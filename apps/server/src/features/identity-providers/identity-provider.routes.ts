import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { IdentityProviderService } from './identity-provider.service.ts';

export const createIdentityProviderRoutes = (providers: IdentityProviderService): RouteBinding[] => [
  bindMember(routes.listCustomIdentityProviders, ({ actor, list }) => providers.list(actor, list)),
  bindMember(routes.createCustomIdentityProvider, ({ actor, body }) => providers.create(actor, body)),
  bindMember(routes.getCustomIdentityProvider, ({ actor, params }) => providers.get(actor, params.id)),
  bindMember(routes.patchCustomIdentityProvider, ({ actor, params, body }) =>
    providers.patch(actor, params.id, body),
  ),
  bindMember(routes.deleteCustomIdentityProvider, ({ actor, params }) => providers.remove(actor, params.id)),
];
