import { routes } from '@redoubt/contract';
import { bindMember, bindPerson, bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import { requestOrigin } from '../../platform/http/origin.ts';
import type { InvitationService } from './invitation.service.ts';

export const createInvitationRoutes = (service: InvitationService): RouteBinding[] => [
  bindMember(routes.listInvitations, ({ actor, list }) => service.list(actor, list)),
  bindMember(routes.createInvitation, ({ actor, body }) => service.create(actor, body)),
  bindPublic(routes.lookAtInvitation, ({ body }) => service.look(body.token)),
  bindPublic(routes.joinWorkspace, ({ body, request }) => service.join(body, requestOrigin(request))),
  bindPerson(routes.acceptInvitation, ({ actor, body }) => service.accept(actor, body.token)),
  bindMember(routes.deleteInvitation, ({ actor, params }) => service.remove(actor, params.id)),
];
