import type { RouteBinding } from '../../platform/http/binding.ts';
import { createInvitationRoutes } from './invitation.routes.ts';
import { createInvitationService, type InvitationService } from './invitation.service.ts';

export { createInvitationService, type InvitationService } from './invitation.service.ts';

/** Invitations, and the service that invites for other features. */
export const wireInvitations = (
  deps: Parameters<typeof createInvitationService>[0],
): { bindings: RouteBinding[]; invitations: InvitationService } => {
  const invitations = createInvitationService(deps);
  return { bindings: createInvitationRoutes(invitations), invitations };
};
