import { inTransaction, type Db } from '../../platform/db/database.ts';
import { insertMembership, type MembershipRow } from './group-membership.repository.ts';
import { findGroupPath, type GroupEdge } from './group-nesting.ts';

export interface GroupNestingRepository {
  /**
   * Puts a child group into a group, unless the child already contains the group, directly or through others.
   * @returns undefined on success; otherwise the names of the groups from the child down to the group
   */
  nest(
    membership: MembershipRow & { childGroupId: string },
    workspaceUid: string,
    createdAt: Date,
  ): Promise<string[] | undefined>;
}

/** Finds all nestings between the group and its ancestors. */
const nestingsAbove = (db: Db, groupId: string): Promise<GroupEdge[]> =>
  db
    .withRecursive('above', (cte) =>
      cte
        .selectFrom('group_memberships')
        .where('group_memberships.child_group_id', '=', groupId)
        .select(({ ref }) => [
          ref('group_memberships.child_group_id').$notNull().as('childId'),
          ref('group_memberships.group_id').as('parentId'),
        ])
        .union(
          cte
            .selectFrom('group_memberships')
            .innerJoin('above', 'above.parentId', 'group_memberships.child_group_id')
            .select(({ ref }) => [
              ref('group_memberships.child_group_id').$notNull().as('childId'),
              ref('group_memberships.group_id').as('parentId'),
            ]),
        ),
    )
    .selectFrom('above')
    .select(['above.childId', 'above.parentId'])
    .execute();

const namesOf = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('groups').where('id', 'in', ids).select(['id', 'name']).execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? id);
};

export const createGroupNestingRepository = (db: Db): GroupNestingRepository => ({
  nest: (membership, workspaceUid, createdAt) =>
    inTransaction(db, async (trx) => {
      // Locks the workspace, because two concurrent nestings can make a cycle although neither does alone.
      await trx
        .selectFrom('workspaces')
        .where('unique_id', '=', workspaceUid)
        .select('unique_id')
        .forNoKeyUpdate()
        .execute();
      const nestings = await nestingsAbove(trx, membership.groupId);
      const chain = findGroupPath(nestings, membership.childGroupId, membership.groupId);
      if (chain !== undefined) return namesOf(trx, chain);
      await insertMembership(trx, membership, workspaceUid, createdAt);
      return undefined;
    }),
});
