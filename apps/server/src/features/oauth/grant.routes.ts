import { routes } from '@redoubt/contract';
import { bindPerson, type RouteBinding } from '../../platform/http/binding.ts';
import type { GrantService } from './grant.service.ts';

export const createGrantRoutes = (grants: GrantService): RouteBinding[] => [
  bindPerson(routes.listApplicationGrants, ({ actor, list }) => grants.list(actor, list)),
  bindPerson(routes.deleteApplicationGrant, ({ actor, params }) => grants.remove(actor, params.id)),
];
