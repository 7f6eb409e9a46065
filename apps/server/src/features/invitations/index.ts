import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createInvitationRoutes } from './invitation.routes.ts';
import { createInvitationService } from './invitation.service.ts';

export { createInvitationService, type InvitationService } from './invitation.service.ts';

export const wireInvitations = (deps: { db: Db; runtime: Runtime }): RouteBinding[] =>
  createInvitationRoutes(createInvitationService(deps));
