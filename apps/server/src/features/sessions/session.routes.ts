import { routes } from '@redoubt/contract';
import { bindPerson, type RouteBinding } from '../../platform/http/binding.ts';
import { clearSessionCookie } from '../../platform/http/session-cookie.ts';
import type { SessionService } from './session.service.ts';

export const createSessionRoutes = (service: SessionService): RouteBinding[] => [
  bindPerson(routes.listSessions, ({ actor, list }) => service.list(actor, list)),
  bindPerson(routes.deleteSession, async ({ actor, params, request, reply }) => {
    const session = await service.remove(actor, params.id);
    if (params.id === actor.sessionId) clearSessionCookie(request, reply);
    return session;
  }),
  bindPerson(routes.updateSession, ({ actor, params, body }) =>
    service.move(actor, params.id, body.workspaceId),
  ),
];
