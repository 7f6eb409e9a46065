import type { RouteBinding } from '../../platform/http/binding.ts';
import { createInvitationRoutes } from './invitation.routes.ts';
import type { InvitationService } from './invitation.service.ts';

export { createInvitationService, type InvitationService } from './invitation.service.ts';

export const wireInvitations = (service: InvitationService): RouteBinding[] =>
  createInvitationRoutes(service);
