import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import { createIsMember } from '../../platform/auth/membership.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createAttributeAssignmentRepository } from './attribute-assignment.repository.ts';
import { createAttributeAssignmentRoutes } from './attribute-assignment.routes.ts';
import { createAttributeAssignmentService } from './attribute-assignment.service.ts';
import { createAttributeRepository } from './attribute.repository.ts';
import { createAttributeRoutes } from './attribute.routes.ts';
import { createAttributeService } from './attribute.service.ts';
import { createHeldAttributesRepository } from './held-attributes.repository.ts';
import { createHeldAttributes, type HeldAttributes } from './held-attributes.ts';

export { visibleAttributes } from './attribute.repository.ts';
export type { HeldAttributes } from './held-attributes.ts';

/** Wires attributes and attribute assignments. */
export const wireAttributes = ({
  db,
  runtime: { ids, clock },
  audit,
}: {
  audit: Audit;
  db: Db;
  runtime: Runtime;
}): { bindings: RouteBinding[]; held: HeldAttributes } => {
  const attributes = createAttributeRepository(db);
  const assignments = createAttributeAssignmentRepository(db);
  return {
    bindings: [
      ...createAttributeRoutes(
        createAttributeService({
          attributes,
          audited: createAuditedChange(audit, createAttributeRepository),
          ids,
          clock,
        }),
      ),
      ...createAttributeAssignmentRoutes(
        createAttributeAssignmentService({
          attributes,
          assignments,
          audited: createAuditedChange(audit, createAttributeAssignmentRepository),
          isMember: createIsMember(db),
          ids,
          clock,
        }),
      ),
    ],
    held: createHeldAttributes({ repository: createHeldAttributesRepository(db), ids, clock }),
  };
};
