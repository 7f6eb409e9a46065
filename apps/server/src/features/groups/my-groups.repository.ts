import type { Db } from '../../platform/db/database.ts';

/** A person in a workspace. */
export interface GroupSubject {
  workspaceUid: string;
  accountId: string;
}

/**
 * A subquery of the ids of the groups that the person is in: by a row of their own, or because a group that
 * they are in is nested there. `union` drops what was seen before, so it ends on any data.
 */
export const groupsOf = (db: Db, { workspaceUid, accountId }: GroupSubject) =>
  db
    .withRecursive('my_groups', (cte) =>
      cte
        .selectFrom('group_memberships')
        .where('group_memberships.workspace_uid', '=', workspaceUid)
        .where('group_memberships.account_id', '=', accountId)
        .select('group_memberships.group_id as id')
        .union(
          cte
            .selectFrom('group_memberships')
            .innerJoin('my_groups', 'my_groups.id', 'group_memberships.child_group_id')
            .select('group_memberships.group_id as id'),
        ),
    )
    .selectFrom('my_groups')
    .select('my_groups.id');

/** A subquery of the ids of the groups that the person administers, themselves or by a child group. */
export const groupsAdministeredBy = (db: Db, subject: GroupSubject) =>
  db
    .selectFrom('group_memberships')
    .where('group_memberships.workspace_uid', '=', subject.workspaceUid)
    .where('group_memberships.role', '=', 'admin')
    .where((row) =>
      row.or([
        row('group_memberships.account_id', '=', subject.accountId),
        row('group_memberships.child_group_id', 'in', groupsOf(db, subject)),
      ]),
    )
    .select('group_memberships.group_id as id');
