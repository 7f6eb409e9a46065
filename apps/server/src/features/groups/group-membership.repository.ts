import type { GroupMembership, GroupRole, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import { canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { membershipColumns } from './membership-columns.repository.ts';
import { selectMemberGroups, groupSubjectOf } from './my-groups.repository.ts';

/** A membership without populated objects. */
export type MembershipRow = Pick<GroupMembership, 'id' | 'groupId' | 'userId' | 'childGroupId' | 'role'>;

export interface GroupMembershipRepository {
  list(actor: Member, list: ListQuery): Promise<Page<MembershipRow>>;
  /** Returns the membership if the actor may see its group. */
  find(actor: Member, id: string): Promise<MembershipRow | undefined>;
  create(membership: MembershipRow, workspaceUid: string, createdAt: Date): Promise<void>;
  setRole(workspaceUid: string, id: string, role: GroupRole): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

const columnsOf = (actor: Member) => ({
  ...membershipColumns(),
  workspaceId: sql<string>`${actor.workspace.slug}::text`,
});

const visibleTo = (db: Db, actor: Member) => {
  const { id, groupId, userId, childGroupId, role } = membershipColumns();
  const inWorkspace = db
    .selectFrom('group_memberships')
    .where('group_memberships.workspace_uid', '=', actor.workspace.uniqueId)
    .select([
      id.as('id'),
      groupId.as('groupId'),
      userId.as('userId'),
      childGroupId.as('childGroupId'),
      role.as('role'),
    ]);
  return canSeeAllObjects(actor, 'getGroupMembership')
    ? inWorkspace
    : inWorkspace.where('group_memberships.group_id', 'in', selectMemberGroups(db, groupSubjectOf(actor)));
};

export const insertMembership = async (
  db: Db,
  { id, groupId, userId, childGroupId, role }: MembershipRow,
  workspaceUid: string,
  createdAt: Date,
): Promise<void> => {
  await db
    .insertInto('group_memberships')
    .values({
      id,
      workspace_uid: workspaceUid,
      group_id: groupId,
      account_id: userId,
      child_group_id: childGroupId,
      role,
      created_at: createdAt,
    })
    .execute();
};

export const createGroupMembershipRepository = (db: Db): GroupMembershipRepository => ({
  list: (actor, list) =>
    readPage(visibleTo(db, actor), list, columnsOf(actor), sql.ref('group_memberships.id')),
  find: (actor, id) => visibleTo(db, actor).where('group_memberships.id', '=', id).executeTakeFirst(),
  create: (membership, workspaceUid, createdAt) => insertMembership(db, membership, workspaceUid, createdAt),
  setRole: async (workspaceUid, id, role) => {
    await db
      .updateTable('group_memberships')
      .set({ role })
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
  remove: async (workspaceUid, id) => {
    await db
      .deleteFrom('group_memberships')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
});
