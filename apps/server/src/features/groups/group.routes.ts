import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { GroupService } from './group.service.ts';

export const createGroupRoutes = (groups: GroupService): RouteBinding[] => [
  bindMember(routes.listGroups, ({ actor, list, query }) => groups.list(actor, { ...list, flags: query })),
  bindMember(routes.createGroup, ({ actor, body }) => groups.create(actor, body)),
  bindMember(routes.getGroup, ({ actor, params, query }) => groups.get(actor, params.id, query)),
  bindMember(routes.patchGroup, ({ actor, params, body }) => groups.patch(actor, params.id, body)),
  bindMember(routes.deleteGroup, ({ actor, params }) => groups.remove(actor, params.id)),
];
