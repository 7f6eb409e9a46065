import type {
  AttributeAssignment,
  AttributeAssignmentCreate,
  AttributeAssignmentPatch,
  ListQuery,
} from '@redoubt/contract';
import { conflict, forbidden, notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import { requireCall } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { refuseChanges, requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { IsMember } from '../../platform/auth/membership.repository.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AttributeAssignmentRepository } from './attribute-assignment.repository.ts';
import type { AttributeRepository } from './attribute.repository.ts';

export interface AttributeAssignmentService {
  list(actor: Member, list: ListQuery): Promise<Page<AttributeAssignment>>;
  get(actor: Member, id: string): Promise<AttributeAssignment>;
  create(actor: Member, body: AttributeAssignmentCreate): Promise<AttributeAssignment>;
  patch(actor: Member, id: string, body: AttributeAssignmentPatch): Promise<AttributeAssignment>;
  remove(actor: Member, id: string): Promise<AttributeAssignment>;
}

type Assignee = Pick<AttributeAssignment, 'attributeId' | 'userId'>;

/** Rejects a duplicate assignment: revoking one of two equal ones would have no effect. */
const rejectDuplicate = async (
  { attributeId, userId }: Assignee,
  change: () => Promise<void>,
): Promise<void> => {
  try {
    await change();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(
      `The user "${userId}" already holds the attribute "${attributeId}". There is nothing to do.`,
    );
  }
};

const eventOf = (
  description: string,
  { id, attributeId, userId }: Assignee & { id: string },
): AuditEvent => ({
  type: 'AttributeManagement',
  description,
  details: { assignmentId: id, attributeId, userId },
});

export const createAttributeAssignmentService = ({
  attributes,
  assignments,
  audited,
  isMember,
  ids,
  clock,
}: {
  attributes: Pick<AttributeRepository, 'find'>;
  assignments: Pick<AttributeAssignmentRepository, 'find' | 'list'>;
  audited: AuditedChange<AttributeAssignmentRepository>;
  isMember: IsMember;
} & Pick<Runtime, 'ids' | 'clock'>): AttributeAssignmentService => {
  const get = async (actor: Member, id: string): Promise<AttributeAssignment> => {
    const assignment = await assignments.find(actor, id);
    if (assignment === undefined) throw notFound('attribute assignment', id);
    return assignment;
  };
  /** Checks that the actor may assign this attribute to this person. */
  const requireAssignable = async (actor: Member, { attributeId, userId }: Assignee): Promise<void> => {
    if (userId === actor.accountId) {
      throw forbidden(
        `userId: "${userId}" is you, and nobody may assign an attribute to themselves. Ask another admin.`,
      );
    }
    if ((await attributes.find(actor, attributeId)) === undefined) throw notFound('attribute', attributeId);
    if (!(await isMember(actor.workspace.uniqueId, userId))) throw notFound('user', userId);
  };
  return {
    list: (actor, list) => assignments.list(actor, list),
    get,
    create: async (actor, { attributeId, userId, workspaceId }) => {
      requireOwnWorkspace(actor, workspaceId);
      requireCall(actor, 'createAttributeAssignment', 'assign attributes');
      await requireAssignable(actor, { attributeId, userId });
      const assignment = { id: ids.uuid(), attributeId, userId };
      await rejectDuplicate(assignment, () =>
        audited(actor, eventOf('assigned an attribute to a user', assignment), (repository) =>
          repository.create(assignment, actor.workspace.uniqueId, clock.now()),
        ),
      );
      return assignment;
    },
    patch: async (actor, id, { attributeId, userId, ...fixed }) => {
      const assignment = await get(actor, id);
      requireCall(actor, 'patchAttributeAssignment', 'change attribute assignments');
      refuseChanges({ id: assignment.id, workspaceId: actor.workspace.slug }, fixed);
      const changed = {
        id,
        attributeId: attributeId ?? assignment.attributeId,
        userId: userId ?? assignment.userId,
      };
      await requireAssignable(actor, changed);
      await rejectDuplicate(changed, () =>
        audited(actor, eventOf('changed an attribute assignment', changed), (repository) =>
          repository.update(actor.workspace.uniqueId, changed),
        ),
      );
      return changed;
    },
    remove: async (actor, id) => {
      const assignment = await get(actor, id);
      requireCall(actor, 'deleteAttributeAssignment', 'revoke attributes');
      await audited(actor, eventOf('revoked an attribute from a user', assignment), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return assignment;
    },
  };
};
