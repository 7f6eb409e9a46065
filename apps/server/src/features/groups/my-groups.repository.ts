import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';

/** A person in a workspace. */
export interface GroupSubject {
  workspaceUid: string;
  accountId: string;
  /** Only these of the groups that they are in, and what those are in; all where it is undefined. */
  groupIds: readonly string[] | undefined;
}

/** Whose groups count for the actor: a key has those of its person that it was made for. */
export const groupSubjectOf = ({ workspace, accountId, narrowing }: Member): GroupSubject => ({
  workspaceUid: workspace.uniqueId,
  accountId,
  groupIds: narrowing?.groupIds,
});

/**
 * A subquery of the ids of the groups that the person is in: by a row of their own, or because a group that
 * they are in is nested there. `union` drops what was seen before, so it ends on any data.
 */
const allGroupsOf = (db: Db, { workspaceUid, accountId }: GroupSubject) =>
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

/** The same of chosen ones out of the groups that the person is in, and of the groups that those are in. */
const someGroupsOf = (db: Db, subject: GroupSubject, groupIds: readonly string[]) =>
  db
    .withRecursive('some_groups', (cte) =>
      cte
        .selectFrom('groups')
        .where('groups.id', 'in', textListSubquery(groupIds))
        .where('groups.id', 'in', allGroupsOf(db, subject))
        .select('groups.id')
        .union(
          cte
            .selectFrom('group_memberships')
            .innerJoin('some_groups', 'some_groups.id', 'group_memberships.child_group_id')
            .select('group_memberships.group_id as id'),
        ),
    )
    .selectFrom('some_groups')
    .select('some_groups.id');

/** A subquery of the ids of the groups that count for the person. */
export const selectMemberGroups = (db: Db, subject: GroupSubject) =>
  subject.groupIds === undefined ? allGroupsOf(db, subject) : someGroupsOf(db, subject, subject.groupIds);

/** A subquery of the ids of the groups that the person administers, themselves or by a child group. */
export const selectAdministeredGroups = (db: Db, subject: GroupSubject) =>
  db
    .selectFrom('group_memberships')
    .where('group_memberships.workspace_uid', '=', subject.workspaceUid)
    .where('group_memberships.role', '=', 'admin')
    .where((row) =>
      row.or([
        row('group_memberships.account_id', '=', subject.accountId),
        row('group_memberships.child_group_id', 'in', selectMemberGroups(db, subject)),
      ]),
    )
    .select('group_memberships.group_id as id');
