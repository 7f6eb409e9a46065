import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { GroupMembershipService } from './group-membership.service.ts';

export const createGroupMembershipRoutes = (memberships: GroupMembershipService): RouteBinding[] => [
  bindMember(routes.listGroupMemberships, ({ actor, list, query }) =>
    memberships.list(actor, { ...list, flags: query }),
  ),
  bindMember(routes.createGroupMembership, ({ actor, body }) => memberships.create(actor, body)),
  bindMember(routes.getGroupMembership, ({ actor, params, query }) =>
    memberships.get(actor, params.id, query),
  ),
  bindMember(routes.patchGroupMembership, ({ actor, params, body }) =>
    memberships.patch(actor, params.id, body),
  ),
  bindMember(routes.deleteGroupMembership, ({ actor, params }) => memberships.remove(actor, params.id)),
];
