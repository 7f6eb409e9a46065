import type {
  GroupMembership,
  GroupMembershipCreate,
  GroupMembershipPatch,
  ListQuery,
} from '@redoubt/contract';
import { badRequest, conflict, describeValue, invalidField, notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { refuseChanges, requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { IsMember } from '../../platform/auth/membership.repository.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { GroupMembershipRepository, MembershipRow } from './group-membership.repository.ts';
import type { GroupNestingRepository } from './group-nesting.repository.ts';
import type { RequireManagedGroup } from './group.service.ts';
import type { PopulateMemberships, PopulateFlags } from './membership-population.ts';
import type { FindVisibleGroup } from './visible-groups.repository.ts';

export interface GroupMembershipService {
  list(actor: Member, list: ListQuery<PopulateFlags>): Promise<Page<GroupMembership>>;
  get(actor: Member, id: string, flags: PopulateFlags): Promise<GroupMembership>;
  create(actor: Member, body: GroupMembershipCreate): Promise<GroupMembership>;
  patch(actor: Member, id: string, body: GroupMembershipPatch): Promise<GroupMembership>;
  remove(actor: Member, id: string): Promise<GroupMembership>;
}

export interface GroupMembershipServiceDeps extends Pick<Runtime, 'ids' | 'clock'> {
  memberships: Pick<GroupMembershipRepository, 'find' | 'list'>;
  audited: AuditedChange<GroupMembershipRepository & GroupNestingRepository>;
  requireManaged: RequireManagedGroup;
  findVisible: FindVisibleGroup;
  isMember: IsMember;
  populate: PopulateMemberships;
}

/** The new member of the group: exactly one of a person and a child group. */
const memberOf = ({
  userId,
  childGroupId,
}: GroupMembershipCreate): { userId: string } | { childGroupId: string } => {
  if (typeof userId === 'string' && typeof childGroupId !== 'string') return { userId };
  if (typeof childGroupId === 'string' && typeof userId !== 'string') return { childGroupId };
  throw typeof userId === 'string'
    ? badRequest(
        `A membership has exactly one of userId and childGroupId, got userId "${userId}" and childGroupId "${childGroupId}". Send one of the two.`,
      )
    : badRequest(
        'A membership has exactly one of userId and childGroupId, got neither. Send one of the two.',
      );
};

const rejectCycle = (childGroupId: string, chain: readonly string[] | undefined): void => {
  if (chain === undefined) return;
  const names = chain.map((name) => `"${name}"`).join(' > ');
  const got = describeValue(childGroupId);
  throw invalidField({
    field: 'childGroupId',
    expected: 'a group that does not contain this group',
    got:
      chain.length === 1
        ? `${got}, which is the group ${names} itself`
        : `${got}, which contains it: ${names}`,
    advice: 'Send another group.',
  });
};

const eventOf = (description: string, row: MembershipRow): AuditEvent => ({
  type: 'GroupManagement',
  description,
  details: {
    membershipId: row.id,
    groupId: row.groupId,
    userId: row.userId ?? undefined,
    childGroupId: row.childGroupId ?? undefined,
    role: row.role,
  },
});

export const createGroupMembershipService = ({
  memberships,
  audited,
  requireManaged,
  findVisible,
  isMember,
  populate,
  ids,
  clock,
}: GroupMembershipServiceDeps): GroupMembershipService => {
  const requireVisible = async (actor: Member, id: string): Promise<MembershipRow> => {
    const row = await memberships.find(actor, id);
    if (row === undefined) throw notFound('group membership', id);
    return row;
  };
  /** Stores the membership after checking that its member exists and is visible to the actor. */
  const add = async (actor: Member, row: MembershipRow): Promise<void> => {
    const { uniqueId } = actor.workspace;
    const { userId, childGroupId } = row;
    const added = eventOf('added a member to a group', row);
    if (childGroupId !== null) {
      if ((await findVisible(actor, childGroupId)) === undefined) throw notFound('group', childGroupId);
      const nested = { ...row, childGroupId };
      const chain = await audited(
        actor,
        (cycle: readonly string[] | undefined) => (cycle === undefined ? added : undefined),
        (repository) => repository.nest(nested, uniqueId, clock.now()),
      );
      rejectCycle(childGroupId, chain);
    } else {
      if (userId !== null && !(await isMember(uniqueId, userId))) throw notFound('user', userId);
      await audited(actor, added, (repository) => repository.create(row, uniqueId, clock.now()));
    }
  };
  return {
    list: async (actor, list) => {
      const page = await memberships.list(actor, list);
      return { ...page, data: await populate(actor, page.data, list.flags) };
    },
    get: async (actor, id, flags) => {
      const row = await requireVisible(actor, id);
      const [membership] = await populate(actor, [row], flags);
      return membership ?? row;
    },
    create: async (actor, body) => {
      requireOwnWorkspace(actor, body.workspaceId);
      const member = memberOf(body);
      const group = await requireManaged(actor, body.groupId, 'createGroupMembership');
      const row = {
        id: ids.uuid(),
        groupId: group.id,
        userId: null,
        childGroupId: null,
        role: body.role,
        ...member,
      };
      try {
        await add(actor, row);
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        const [field, value] = Object.entries(member)[0] ?? [];
        throw conflict(
          `${field} must not be in the group "${group.name}" yet, got "${value}", which is. Change that membership instead.`,
        );
      }
      return row;
    },
    patch: async (actor, id, { role, ...sent }) => {
      const row = await requireVisible(actor, id);
      await requireManaged(actor, row.groupId, 'patchGroupMembership');
      const { role: _role, ...fixed } = row;
      refuseChanges({ ...fixed, workspaceId: actor.workspace.slug }, sent);
      if (role === undefined) return row;
      const changed = { ...row, role };
      await audited(actor, eventOf('changed a role in a group', changed), (repository) =>
        repository.setRole(actor.workspace.uniqueId, id, role),
      );
      return changed;
    },
    remove: async (actor, id) => {
      const row = await requireVisible(actor, id);
      await requireManaged(actor, row.groupId, 'deleteGroupMembership');
      await audited(actor, eventOf('removed a member from a group', row), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return row;
    },
  };
};
