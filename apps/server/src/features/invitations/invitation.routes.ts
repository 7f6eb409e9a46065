import { routes } from '@redoubt/contract';
import { bindMember, bindPerson, type RouteBinding } from '../../platform/http/binding.ts';
import type { InvitationService } from './invitation.service.ts';

export const createInvitationRoutes = (service: InvitationService): RouteBinding[] => [
  bindMember(routes.listInvitations, ({ actor, list }) => service.list(actor, list)),
  bindPerson(routes.acceptInvitation, ({ actor, body }) => service.accept(actor, body.token)),
  bindMember(routes.deleteInvitation, ({ actor, params }) => service.remove(actor, params.id)),
];
