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

type Grant = Pick<AttributeAssignment, 'attributeId' | 'userId'>;

/** Two rows of the same attribute and person would make revoking one of them do nothing. */
const refuseTwice = async ({ attributeId, userId }: Grant, change: () => Promise<void>): Promise<void> => {
  try {
    await change();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(
      `The user "${userId}" holds the attribute "${attributeId}" already: there is nothing to do.`,
    );
  }
};

const eventOf = (description: string, { id, attributeId, userId }: Grant & { id: string }): AuditEvent => ({
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
  /** Whether the admin may give this attribute to this person. */
  const check = async (actor: Member, { attributeId, userId }: Grant): Promise<void> => {
    if (userId === actor.accountId) {
      throw forbidden(
        `userId: "${userId}" is you, and nobody gives themselves an attribute: ask another admin.`,
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
      requireCall(actor, 'createAttributeAssignment', 'give attributes to people');
      await check(actor, { attributeId, userId });
      const assignment = { id: ids.uuid(), attributeId, userId };
      await refuseTwice(assignment, () =>
        audited(actor, eventOf('gave an attribute to somebody', assignment), (repository) =>
          repository.create(assignment, actor.workspace.uniqueId, clock.now()),
        ),
      );
      return assignment;
    },
    patch: async (actor, id, { attributeId, userId, ...fixed }) => {
      const assignment = await get(actor, id);
      requireCall(actor, 'patchAttributeAssignment', 'change who holds an attribute');
      refuseChanges({ id: assignment.id, workspaceId: actor.workspace.slug }, fixed);
      const changed = {
        id,
        attributeId: attributeId ?? assignment.attributeId,
        userId: userId ?? assignment.userId,
      };
      await check(actor, changed);
      await refuseTwice(changed, () =>
        audited(actor, eventOf('changed who holds an attribute', changed), (repository) =>
          repository.update(actor.workspace.uniqueId, changed),
        ),
      );
      return changed;
    },
    remove: async (actor, id) => {
      const assignment = await get(actor, id);
      requireCall(actor, 'deleteAttributeAssignment', 'take attributes from people');
      await audited(actor, eventOf('took an attribute from somebody', assignment), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return assignment;
    },
  };
};
