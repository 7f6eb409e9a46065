import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { AttributeService } from './attribute.service.ts';

export const createAttributeRoutes = (attributes: AttributeService): RouteBinding[] => [
  bindMember(routes.listAttributes, ({ actor, list }) => attributes.list(actor, list)),
  bindMember(routes.createAttribute, ({ actor, body }) => attributes.create(actor, body)),
  bindMember(routes.getAttribute, ({ actor, params }) => attributes.get(actor, params.id)),
  bindMember(routes.patchAttribute, ({ actor, params, body }) => attributes.patch(actor, params.id, body)),
  bindMember(routes.deleteAttribute, ({ actor, params }) => attributes.remove(actor, params.id)),
];
