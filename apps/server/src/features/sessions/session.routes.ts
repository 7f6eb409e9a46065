import { routes } from '@redoubt/contract';
import { bindPerson, type RouteBinding } from '../../platform/http/binding.ts';
import type { SessionService } from './session.service.ts';

export const createSessionRoutes = (service: SessionService): RouteBinding[] => [
  bindPerson(routes.listSessions, ({ actor, list }) => service.list(actor, list)),
  bindPerson(routes.deleteSession, ({ actor, params }) => service.remove(actor, params.id)),
];
