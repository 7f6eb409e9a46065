import type { Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';

/** The person in a workspace whose groups are selected. */
export interface GroupSubject {
  workspaceUid: string;
  accountId: string;
  /** Limits the selection to these groups and their ancestors, as far as the person is in them; undefined means all. */
  groupIds: readonly string[] | undefined;
}

/** The subject of the actor's group permissions. The scope of a key limits the groups of its owner. */
export const groupSubjectOf = ({ workspace, accountId, scope }: Member): GroupSubject => ({
  workspaceUid: workspace.uniqueId,
  accountId,
  groupIds: scope?.groupIds,
});

/**
 * A subquery for the ids of the groups that the person is in, directly or through nested groups. `union` removes
 * duplicates, so the recursion ends even if the data contains a cycle.
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

/** As `allGroupsOf`, starting only from those of `groupIds` that the person is in. */
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

/** A subquery for the ids of the groups whose permissions the subject has. */
export const selectMemberGroups = (db: Db, subject: GroupSubject) =>
  subject.groupIds === undefined ? allGroupsOf(db, subject) : someGroupsOf(db, subject, subject.groupIds);

/** A subquery for the ids of the groups that the subject administers, directly or through a child group. */
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
