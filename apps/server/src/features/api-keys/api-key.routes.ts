import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { ApiKeyService } from './api-key.service.ts';

export const createApiKeyRoutes = (apiKeys: ApiKeyService): RouteBinding[] => [
  bindMember(routes.listApiKeys, ({ actor, list }) => apiKeys.list(actor, list)),
  bindMember(routes.createApiKey, ({ actor, body }) => apiKeys.create(actor, body)),
  bindMember(routes.getApiKey, ({ actor, params }) => apiKeys.get(actor, params.id)),
  bindMember(routes.patchApiKey, ({ actor, params, body }) => apiKeys.patch(actor, params.id, body)),
  bindMember(routes.deleteApiKey, ({ actor, params }) => apiKeys.remove(actor, params.id)),
];
