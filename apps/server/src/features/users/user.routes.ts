import { routes } from '@redoubt/contract';
import { requestOrigin } from '../../platform/http/origin.ts';
import { bindPerson, bindPublic, type RouteBinding } from '../../platform/http/binding.ts';
import type { UserService } from './user.service.ts';

export const createUserRoutes = (service: UserService): RouteBinding[] => [
  bindPerson(routes.listUsers, ({ actor, list }) => service.list(actor, list)),
  bindPublic(routes.createUser, ({ actor, body, request }) =>
    service.create(actor, body, requestOrigin(request)),
  ),
  bindPerson(routes.getUser, ({ actor, params }) => service.get(actor, params.id)),
  bindPerson(routes.updateUser, ({ actor, params, body }) => service.update(actor, params.id, body)),
  bindPerson(routes.deleteUser, ({ actor, params }) => service.remove(actor, params.id)),
];
