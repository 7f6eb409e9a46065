import type { GroupMembership, GroupSummary, ListQuery } from '@redoubt/contract';
import { sql } from 'kysely';
import type { Member } from '../../platform/auth/actor.ts';
import { inTransaction, type Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import { insertMembership } from './group-membership.repository.ts';
import { membershipColumns } from './membership-columns.repository.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { selectAdministeredGroups, groupSubjectOf } from './my-groups.repository.ts';
import { groupColumns, visibleGroups } from './visible-groups.repository.ts';

export interface GroupRepository {
  /** @param parentId lists only groups that can be added to this one without a cycle */
  list(actor: Member, list: ListQuery, parentId: string | undefined): Promise<Page<GroupSummary>>;
  /** Returns the direct memberships of several groups, oldest first. */
  membershipsOf(groupIds: readonly string[]): Promise<GroupMembership[]>;
  /** Whether the actor administers the group through a membership. Workspace admins need none, and are not considered. */
  isAdministeredBy(actor: Member, groupId: string): Promise<boolean>;
  /** Whether a group that is visible to the actor has this name. */
  isNameVisible(actor: Member, name: string): Promise<boolean>;
  /** Creates the group with its creator as its admin. */
  create(group: {
    id: string;
    name: string;
    membershipId: string;
    workspaceUid: string;
    accountId: string;
    createdAt: Date;
  }): Promise<void>;
  rename(workspaceUid: string, id: string, name: string): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

/** Selects the groups that cannot be added to a group: itself, its ancestors, and its direct children. */
const invalidChildren = (db: Db, parentId: string) =>
  db
    .withRecursive('ancestors', (cte) =>
      cte
        .selectFrom('groups')
        .where('groups.id', '=', parentId)
        .select('groups.id')
        .union(
          cte
            .selectFrom('group_memberships')
            .innerJoin('ancestors', 'ancestors.id', 'group_memberships.child_group_id')
            .select('group_memberships.group_id as id'),
        ),
    )
    .selectFrom('ancestors')
    .select('ancestors.id')
    .unionAll(
      db
        .selectFrom('group_memberships')
        .where('group_memberships.group_id', '=', parentId)
        .where('group_memberships.child_group_id', 'is not', null)
        .select(sql.ref<string>('group_memberships.child_group_id').as('id')),
    );

export const createGroupRepository = (db: Db): GroupRepository => ({
  list: (actor, list, parentId) => {
    const visible = visibleGroups(db, actor);
    const candidates =
      parentId === undefined ? visible : visible.where('groups.id', 'not in', invalidChildren(db, parentId));
    return readPage(candidates, list, groupColumns(actor.workspace), sql.ref('groups.id'));
  },
  membershipsOf: (groupIds) => {
    const columns = membershipColumns();
    return db
      .selectFrom('group_memberships')
      .where('group_memberships.group_id', 'in', textListSubquery(groupIds))
      .select([
        columns.id.as('id'),
        columns.groupId.as('groupId'),
        columns.userId.as('userId'),
        columns.childGroupId.as('childGroupId'),
        columns.role.as('role'),
      ])
      .orderBy('group_memberships.created_at')
      .orderBy('group_memberships.id')
      .execute();
  },
  isAdministeredBy: async (actor, groupId) => {
    const row = await db
      .selectFrom('groups')
      .where('groups.id', '=', groupId)
      .where('groups.id', 'in', selectAdministeredGroups(db, groupSubjectOf(actor)))
      .select('groups.id')
      .executeTakeFirst();
    return row !== undefined;
  },
  isNameVisible: async (actor, name) => {
    const row = await visibleGroups(db, actor).where('groups.name', '=', name).executeTakeFirst();
    return row !== undefined;
  },
  create: ({ id, name, membershipId, workspaceUid, accountId, createdAt }) =>
    inTransaction(db, async (trx) => {
      await trx
        .insertInto('groups')
        .values({ id, workspace_uid: workspaceUid, name, created_by: accountId, created_at: createdAt })
        .execute();
      const creator = {
        id: membershipId,
        groupId: id,
        userId: accountId,
        childGroupId: null,
        role: 'admin' as const,
      };
      await insertMembership(trx, creator, workspaceUid, createdAt);
    }),
  rename: async (workspaceUid, id, name) => {
    await db
      .updateTable('groups')
      .set({ name })
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
  remove: async (workspaceUid, id) => {
    await db.deleteFrom('groups').where('workspace_uid', '=', workspaceUid).where('id', '=', id).execute();
  },
});
