import type { Group, GroupCreate, GroupPatch, GroupSummary, ListQuery, OperationId } from '@redoubt/contract';
import { conflict, notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import { canCall, requireCall } from '../../platform/auth/access.ts';
import { hasPrivileges, withOwnSession, type Member } from '../../platform/auth/actor.ts';
import { refuseChanges, requireOwnUserId, requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { GroupRepository } from './group.repository.ts';
import type { FindVisibleGroup } from './visible-groups.repository.ts';

export interface GroupService {
  list(
    actor: Member,
    list: ListQuery<{ groupMemberships?: boolean; validSubGroups?: string }>,
  ): Promise<Page<Group>>;
  get(actor: Member, id: string, flags: { groupMemberships?: boolean }): Promise<Group>;
  create(actor: Member, body: GroupCreate): Promise<Group>;
  patch(actor: Member, id: string, body: GroupPatch): Promise<Group>;
  remove(actor: Member, id: string): Promise<Group>;
}

/** Finds the group that the actor wants to change. Throws 404 if it is hidden from them, 403 if they may not change it. */
export type RequireManagedGroup = (
  actor: Member,
  id: string,
  operation: OperationId,
) => Promise<GroupSummary>;

export const createRequireManagedGroup =
  ({
    groups,
    findVisible,
  }: {
    groups: Pick<GroupRepository, 'isAdministeredBy'>;
    findVisible: FindVisibleGroup;
  }): RequireManagedGroup =>
  async (actor, id, operation) => {
    const group = await findVisible(actor, id);
    if (group === undefined) throw notFound('group', id);
    if (canCall(actor, operation)) return group;
    const administers = hasPrivileges(actor) && (await groups.isAdministeredBy(actor, id));
    requireCall(actor, operation, `change the group "${group.name}"`, administers ? ['group-admin'] : []);
    return group;
  };

const eventOf = (change: string, groupId: string, name: string): AuditEvent => ({
  type: 'GroupManagement',
  description: `${change} the group "${name}"`,
  details: { groupId, name },
});

export const createGroupService = ({
  groups,
  audited,
  findVisible,
  requireManaged,
  ids,
  clock,
}: {
  groups: Pick<GroupRepository, 'isNameVisible' | 'list' | 'membershipsOf'>;
  audited: AuditedChange<GroupRepository>;
  findVisible: FindVisibleGroup;
  requireManaged: RequireManagedGroup;
} & Pick<Runtime, 'ids' | 'clock'>): GroupService => {
  const requireVisible = async (actor: Member, id: string): Promise<GroupSummary> => {
    const group = await findVisible(actor, id);
    if (group === undefined) throw notFound('group', id);
    return group;
  };
  /** Names must be unique only among the visible groups: a conflict with a hidden group would disclose its name. */
  const requireFreeName = async (actor: Member, name: string): Promise<void> => {
    if (await groups.isNameVisible(actor, name)) {
      throw conflict(`name: "${name}" is the name of another group of this workspace. Send another name.`);
    }
  };
  const withMemberships = async (visible: readonly GroupSummary[]): Promise<Group[]> => {
    const memberships = await groups.membershipsOf(visible.map(({ id }) => id));
    const byGroup = Map.groupBy(memberships, ({ groupId }) => groupId);
    return visible.map((group) => ({ ...group, groupMemberships: byGroup.get(group.id) ?? [] }));
  };
  return {
    list: async (actor, list) => {
      const { groupMemberships, validSubGroups } = list.flags;
      if (validSubGroups !== undefined) await requireVisible(actor, validSubGroups);
      const page = await groups.list(actor, list, validSubGroups);
      return groupMemberships ? { ...page, data: await withMemberships(page.data) } : page;
    },
    get: async (actor, id, { groupMemberships }) => {
      const group = await requireVisible(actor, id);
      if (!groupMemberships) return group;
      const [populated] = await withMemberships([group]);
      return populated ?? group;
    },
    create: async (actor, { name, workspaceId, userId }) => {
      requireOwnWorkspace(actor, workspaceId);
      requireOwnUserId(actor, userId);
      await requireFreeName(actor, name);
      const id = ids.uuid();
      const group = {
        id,
        name,
        membershipId: ids.uuid(),
        workspaceUid: actor.workspace.uniqueId,
        accountId: actor.accountId,
        createdAt: clock.now(),
      };
      await audited(actor, eventOf('created', id, name), (repository) => repository.create(group));
      return requireVisible(withOwnSession(actor), id);
    },
    patch: async (actor, id, { name, ...fixed }) => {
      const group = await requireManaged(actor, id, 'patchGroup');
      refuseChanges({ id, workspaceId: group.workspaceId, userId: group.userId }, fixed);
      if (name === undefined || name === group.name) return group;
      await requireFreeName(actor, name);
      await audited(actor, eventOf('renamed', id, name), (repository) =>
        repository.rename(actor.workspace.uniqueId, id, name),
      );
      return requireVisible(actor, id);
    },
    remove: async (actor, id) => {
      const group = await requireManaged(actor, id, 'deleteGroup');
      await audited(actor, eventOf('deleted', id, group.name), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return group;
    },
  };
};
