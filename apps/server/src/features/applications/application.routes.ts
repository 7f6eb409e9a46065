import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { ApplicationService } from './application.service.ts';

export const createApplicationRoutes = (applications: ApplicationService): RouteBinding[] => [
  bindMember(routes.listApplications, ({ actor, list }) => applications.list(actor, list)),
  bindMember(routes.createApplication, ({ actor, body }) => applications.create(actor, body)),
  bindMember(routes.getApplication, ({ actor, params }) => applications.get(actor, params.id)),
  bindMember(routes.patchApplication, ({ actor, params, body }) =>
    applications.patch(actor, params.id, body),
  ),
  bindMember(routes.deleteApplication, ({ actor, params }) => applications.remove(actor, params.id)),
];
