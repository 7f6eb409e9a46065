import { createAuditedChange, type Audit } from '../../platform/audit/index.ts';
import { createIsMember } from '../../platform/auth/membership.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import type { RouteBinding } from '../../platform/http/binding.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { createGroupMembershipRepository } from './group-membership.repository.ts';
import { createGroupMembershipRoutes } from './group-membership.routes.ts';
import { createGroupMembershipService } from './group-membership.service.ts';
import { createGroupNestingRepository } from './group-nesting.repository.ts';
import { createGroupRepository } from './group.repository.ts';
import { createGroupRoutes } from './group.routes.ts';
import { createGroupService, createRequireManagedGroup } from './group.service.ts';
import { createMembershipPopulationRepository } from './membership-population.repository.ts';
import { createPopulateMemberships } from './membership-population.ts';
import { createFindVisibleGroup, type FindVisibleGroup } from './visible-groups.repository.ts';

export { selectMemberGroups, groupSubjectOf } from './my-groups.repository.ts';
export { visibleGroups } from './visible-groups.repository.ts';
export type { FindVisibleGroup } from './visible-groups.repository.ts';

/** Wires groups and group memberships. */
export const wireGroups = ({
  db,
  runtime: { ids, clock },
  audit,
}: {
  audit: Audit;
  db: Db;
  runtime: Runtime;
}): { bindings: RouteBinding[]; findVisibleGroup: FindVisibleGroup } => {
  const groups = createGroupRepository(db);
  const findVisible = createFindVisibleGroup(db);
  const requireManaged = createRequireManagedGroup({ groups, findVisible });
  return {
    bindings: [
      ...createGroupRoutes(
        createGroupService({
          groups,
          audited: createAuditedChange(audit, createGroupRepository),
          findVisible,
          requireManaged,
          ids,
          clock,
        }),
      ),
      ...createGroupMembershipRoutes(
        createGroupMembershipService({
          memberships: createGroupMembershipRepository(db),
          audited: createAuditedChange(audit, (trx) => ({
            ...createGroupMembershipRepository(trx),
            ...createGroupNestingRepository(trx),
          })),
          requireManaged,
          findVisible,
          isMember: createIsMember(db),
          populate: createPopulateMemberships(createMembershipPopulationRepository(db)),
          ids,
          clock,
        }),
      ),
    ],
    findVisibleGroup: findVisible,
  };
};
