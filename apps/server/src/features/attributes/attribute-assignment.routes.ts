import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import type { AttributeAssignmentService } from './attribute-assignment.service.ts';

export const createAttributeAssignmentRoutes = (assignments: AttributeAssignmentService): RouteBinding[] => [
  bindMember(routes.listAttributeAssignments, ({ actor, list }) => assignments.list(actor, list)),
  bindMember(routes.createAttributeAssignment, ({ actor, body }) => assignments.create(actor, body)),
  bindMember(routes.getAttributeAssignment, ({ actor, params }) => assignments.get(actor, params.id)),
  bindMember(routes.patchAttributeAssignment, ({ actor, params, body }) =>
    assignments.patch(actor, params.id, body),
  ),
  bindMember(routes.deleteAttributeAssignment, ({ actor, params }) => assignments.remove(actor, params.id)),
];
