import type { GroupSummary } from '@redoubt/contract';
import { sql } from 'kysely';
import { canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member, WorkspaceContext } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { selectMemberGroups, groupSubjectOf } from './my-groups.repository.ts';

/** The columns of a group as the API names them. */
export const groupColumns = (workspace: WorkspaceContext) => ({
  id: sql.ref<string>('groups.id'),
  name: sql.ref<string>('groups.name'),
  workspaceId: sql<string>`${workspace.slug}::text`,
  userId: sql.ref<string>('groups.created_by'),
  memberCount: sql<number>`(select count(*) from group_memberships rows where rows.group_id = groups.id)::integer`,
});

/** Selects the groups that the actor may see: all for admins and holders of manage-groups, their own for others. */
export const visibleGroups = (db: Db, actor: Member) => {
  const { id, name, workspaceId, userId, memberCount } = groupColumns(actor.workspace);
  const inWorkspace = db
    .selectFrom('groups')
    .where('groups.workspace_uid', '=', actor.workspace.uniqueId)
    .select([
      id.as('id'),
      name.as('name'),
      workspaceId.as('workspaceId'),
      userId.as('userId'),
      memberCount.as('memberCount'),
    ]);
  if (canSeeAllObjects(actor, 'getGroup')) return inWorkspace;
  return inWorkspace.where('groups.id', 'in', selectMemberGroups(db, groupSubjectOf(actor)));
};

/** Finds a group if the actor may see it. */
export type FindVisibleGroup = (actor: Member, id: string) => Promise<GroupSummary | undefined>;

export const createFindVisibleGroup =
  (db: Db): FindVisibleGroup =>
  (actor, id) =>
    visibleGroups(db, actor).where('groups.id', '=', id).executeTakeFirst();
