import { routes } from '@redoubt/contract';
import type { Member } from '../../platform/auth/actor.ts';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { IndexService } from './index.service.ts';

export const createIndexRoutes = (
  indexes: IndexService,
  requireWaitingPlace: (actor: Member) => Promise<void>,
): RouteBinding[] => [
  bindMember(routes.listIndexes, ({ actor, query, list }) => indexes.list(actor, query, list)),
  bindMember(routes.createIndex, ({ actor, body }) => indexes.create(actor, body), requireWaitingPlace),
  bindMember(routes.getIndex, ({ actor, params }) => indexes.get(actor, params.id)),
  bindMember(
    routes.patchIndex,
    ({ actor, params, body }) => indexes.patch(actor, params.id, body),
    requireWaitingPlace,
  ),
  bindMember(routes.deleteIndex, ({ actor, params }) => indexes.remove(actor, params.id)),
  bindMember(routes.manageIndexes, ({ actor, body }) => indexes.manage(actor, body), requireWaitingPlace),
];
